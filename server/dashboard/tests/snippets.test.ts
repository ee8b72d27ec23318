// A call written for each door: each language reads back exactly what was given.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {
  agentHosts,
  cppRawString,
  pythonLiteral,
  shellQuoted,
  snippetsOf,
} from '../src/data/snippets';

const hostile = `it's "here" $HOME \`id\` \\ ü )" 雨`;

test('a shell reads back exactly what was quoted', () => {
  const said = execFileSync('sh', ['-c', `printf %s ${shellQuoted(hostile)}`]).toString();
  assert.equal(said, hostile);
});

test('a raw string of C++ cannot be ended by its text', () => {
  assert.equal(cppRawString('{"q":1}'), 'R"({"q":1})"');
  assert.equal(cppRawString('a)"b'), 'R"-(a)"b)-"');
  assert.equal(cppRawString('a)"b)-"c'), 'R"--(a)"b)-"c)--"');
});

test('values are written as Python has them', () => {
  assert.equal(pythonLiteral([true, null, 2, 'a"b']), '[True, None, 2, "a\\"b"]');
});

test('every door has its snippet, and none holds a key', () => {
  const snippets = snippetsOf({
    baseUrl: 'http://localhost:8080',
    endpoint: 'forum/search',
    operation: 'forum_search',
    list: true,
    body: {q: hostile, limit: 3},
  });
  assert.deepEqual(
    snippets.map(one => one.name),
    ['curl', 'Python', 'JavaScript', 'Go', 'C++', 'C', 'Command line', 'MCP'],
  );
  for (const {text} of snippets) assert.ok(!/frs_(live|test)_/.test(text));
  const mcp = JSON.parse(snippets.at(-1)?.text ?? '');
  assert.deepEqual(mcp.params, {name: 'forum_search', arguments: {q: hostile, limit: 3}});
  assert.ok(snippets[1]?.text.includes('client.items("forum/search"'));
});

test('what curl is given is the body', () => {
  const [curl] = snippetsOf({
    baseUrl: 'http://localhost:8080',
    endpoint: 'forum/search',
    operation: 'forum_search',
    list: true,
    body: {q: hostile},
  });
  const script = `curl() { printf '%s\\n' "$@"; }\nFRESHET_API_KEY=k\n${curl?.text}`;
  const given = execFileSync('sh', ['-c', script]).toString().trimEnd().split('\n');
  assert.deepEqual(JSON.parse(given.at(-1) ?? ''), {q: hostile});
});

test('the command line is given the body as one argument', () => {
  const line = snippetsOf({
    baseUrl: 'http://localhost:8080',
    endpoint: 'forum/search',
    operation: 'forum_search',
    list: true,
    body: {q: hostile},
  }).find(one => one.name === 'Command line');
  const script = `freshet() { printf '%s\\n' "$@"; }\nFRESHET_API_KEY=k\n${line?.text}`;
  const given = execFileSync('sh', ['-c', script]).toString().trimEnd().split('\n');
  assert.deepEqual(given.slice(0, 2), ['call', 'forum/search']);
  assert.deepEqual(JSON.parse(given[2] ?? ''), {q: hostile});
});

test('JavaScript sends the body', async () => {
  const script = snippetsOf({
    baseUrl: 'http://localhost:8080',
    endpoint: 'forum/search',
    operation: 'forum_search',
    list: true,
    body: {q: hostile},
  }).find(one => one.name === 'JavaScript');
  const asked: string[] = [];
  const fetched = async (url: string, what: {body: string}) => {
    asked.push(url, what.body);
    return {ok: true, json: async () => ({data: []})};
  };
  const body = `return (async () => {${script?.text}})()`;
  const run = new Function('fetch', 'process', 'console', body);
  await run(fetched, {env: {}}, {log: () => {}});
  assert.equal(asked[0], 'http://localhost:8080/v1/forum/search');
  assert.deepEqual(JSON.parse(asked[1] ?? ''), {q: hostile});
});

test('links give hosts of agents what their files would', () => {
  const [cursor, code] = agentHosts('https://freshet.example.org');
  const given = new URL(cursor?.link ?? '').searchParams;
  const server = JSON.parse(atob(given.get('config') ?? ''));
  assert.equal(given.get('name'), 'freshet');
  assert.deepEqual(JSON.parse(cursor?.text ?? ''), {mcpServers: {freshet: server}});
  assert.equal(server.url, 'https://freshet.example.org/mcp');
  assert.equal(server.headers.Authorization, 'Bearer ${env:FRESHET_API_KEY}');
  const [scheme, asked = ''] = (code?.link ?? '').split('?');
  assert.equal(scheme, 'vscode:mcp/install');
  const {name, inputs, ...config} = JSON.parse(decodeURIComponent(asked));
  assert.deepEqual(JSON.parse(code?.text ?? ''), {inputs, servers: {[name]: config}});
  assert.deepEqual(config, {
    type: 'http',
    url: 'https://freshet.example.org/mcp',
    headers: {Authorization: `Bearer \${input:${inputs[0].id}}`},
  });
});
