// One object of the API: its keys, and which endpoints answer it.
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {sampleOf} from '../data/openapi';
import {Code} from '../parts/controls';
import {Part} from './heading';
import {Keys} from './schema';
import {Prose} from '../parts/markdown';
import {Message} from '../parts/message';
import {docs as words, terms} from '../words';

export function ObjectPage({reference, name}: {reference: Reference; name: string}) {
  const schema = reference.document.components.schemas[name];
  if (schema === undefined) {
    return (
      <Page title={words.noObject}>
        <p>
          <Message text={words.noObjectHelp(name)} />
        </p>
      </Page>
    );
  }
  const from = reference.endpoints.filter(one => one.answers.objects.includes(name));
  return (
    <Page title={name} lead={<Prose text={schema.description ?? ''} />}>
      {from.length > 0 && (
        <p>
          {words.answeredBy}{' '}
          {from.map((one, i) => (
            <span key={one.path}>
              {i > 0 && ', '}
              <Link href={`/docs/${one.path}`}>{one.path}</Link>
            </span>
          ))}
          .
        </p>
      )}
      <Part id="keys" title={terms.keys}>
        <p>{words.keysHelp}</p>
        <Keys schema={schema} />
      </Part>
      <Part id="shape" title={terms.shape}>
        <Code
          text={JSON.stringify(sampleOf(schema, reference.document), null, 2)}
          label={words.shapeOf(name)}
        />
      </Part>
    </Page>
  );
}
