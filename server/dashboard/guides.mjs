// Makes, of the guides in markdown and the OpenAPI document, what /docs has beside the application:
// guides.json (which the application shows and searches), a .md twin of each guide and endpoint,
// llms.txt and llms-full.txt. The README's list of guides gives their order, titles and lines.
// Usage: node guides.mjs README.md guides openapi.json pages
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

const [readmePath, guidesFolder, openapiPath, to] = process.argv.slice(2);
const readme = readFileSync(readmePath, 'utf8');
const openapi = JSON.parse(readFileSync(openapiPath, 'utf8'));

/** Links to other guides lead to their pages here; those into the source tree become their text. */
function linked(markdown, ending) {
  return markdown.replace(/\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (_, text, target) => {
    const guide = /^([\w-]+)\.md(#[\w-]+)?$/.exec(target);
    return guide ? `[${text}](/docs/guides/${guide[1]}${ending}${guide[2] ?? ''})` : text;
  });
}

const list = /^- \[(.+)\]\(server\/guides\/([\w-]+)\.md\): (.+)$/gm;
const guides = [...readme.matchAll(list)].map(([, title, name, about]) => {
  const markdown = readFileSync(join(guidesFolder, `${name}.md`), 'utf8');
  return {name, title, about, markdown};
});
if (guides.length === 0) throw new Error('guides.mjs: the README lists no guide');

/** A schema in a word or two. */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.enum) return schema.enum.map(one => JSON.stringify(one)).join(', ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return schema.type ?? 'any value';
}

const cell = text => text.replaceAll('\n', ' ').replaceAll('|', '\\|');

const errors = Object.assign(
  {},
  ...Object.values(openapi.components.responses).flatMap(response =>
    Object.values(response.content ?? {}).map(content => content.examples ?? {}),
  ),
);

function endpointPage(path, operation) {
  const body = operation.requestBody.content['application/json'];
  const required = new Set(body.schema.required ?? []);
  const rows = Object.entries(body.schema.properties).map(
    ([name, schema]) =>
      `| \`${name}\` | ${cell(typeOf(schema))} | ${required.has(name) ? 'yes' : ''} | ` +
      `${cell(schema.description ?? '')} |`,
  );
  const example = body.example ?? Object.values(body.examples ?? {})[0]?.value;
  const lines = [`# POST ${path}`, '', operation.summary, ''];
  if (operation.description) lines.push(operation.description, '');
  const price = operation['x-credits'];
  lines.push(`Price of a success: ${price} credit${price === 1 ? '' : 's'}.`, '');
  if (example) lines.push('```json', JSON.stringify(example, null, 2), '```', '');
  lines.push('| parameter | type | required | |', '|---|---|---|---|', ...rows, '');
  lines.push('| error | status | |', '|---|---|---|');
  for (const code of operation['x-errors']) {
    const {description, value} = errors[code];
    lines.push(`| \`${code}\` | ${value.status} | ${cell(description)} |`);
  }
  lines.push('', 'Any call can fail by its key, the rate or HTTP, too: see /docs/errors.', '');
  return lines.join('\n');
}

const endpoints = Object.entries(openapi.paths)
  .filter(([path, item]) => path.startsWith('/v1/') && item.post)
  .map(([path, item]) => ({
    name: path.slice('/v1/'.length),
    summary: item.post.summary,
    markdown: endpointPage(path, item.post),
  }));

rmSync(to, {recursive: true, force: true});
function write(path, text) {
  const file = join(to, path);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, text);
}

const shown = guides.map(({name, title, about, markdown}) => ({
  name,
  title,
  about,
  text: linked(markdown, ''),
}));
write('docs/guides.json', JSON.stringify(shown));
const twins = guides.map(({markdown}) => linked(markdown, '.md'));
guides.forEach(({name}, index) => write(`docs/guides/${name}.md`, twins[index]));
for (const {name, markdown} of endpoints) write(`docs/${name}.md`, markdown);

const said = /^# .*\n\n((?:.+\n)+)/.exec(readme)[1].trim().replaceAll('\n', ' ');
const contents = [
  '# Freshet',
  '',
  `> ${said}`,
  '',
  '## Guides',
  '',
  ...guides.map(({name, title, about}) => `- [${title}](/docs/guides/${name}.md): ${about}`),
  '',
  '## Endpoints',
  '',
  ...endpoints.map(({name, summary}) => `- [${name}](/docs/${name}.md): ${summary}`),
  '',
  '## For programs',
  '',
  '- [OpenAPI 3.1](/openapi.json): every endpoint, object and error',
  '- [All of this in one file](/llms-full.txt)',
  '',
];
write('llms.txt', contents.join('\n'));
write('llms-full.txt', [...twins, ...endpoints.map(({markdown}) => markdown)].join('\n'));
