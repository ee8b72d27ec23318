// One object of the API: its keys, and which endpoints answer it.
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {sampleOf} from '../data/openapi';
import {Code} from '../parts/controls';
import {Part} from './heading';
import {Keys} from './schema';

export function ObjectPage({reference, name}: {reference: Reference; name: string}) {
  const schema = reference.document.components.schemas[name];
  if (schema === undefined) {
    return (
      <Page title="There is no such object">
        <p>
          The API has nothing called <code>{name}</code>.
        </p>
      </Page>
    );
  }
  const from = reference.endpoints.filter(one => one.answers.objects.includes(name));
  return (
    <Page title={name} lead={schema.description ?? ''}>
      {from.length > 0 && (
        <p>
          Answered by{' '}
          {from.map((one, i) => (
            <span key={one.path}>
              {i > 0 && ', '}
              <Link href={`/docs/${one.path}`}>{one.path}</Link>
            </span>
          ))}
          .
        </p>
      )}
      <Part id="keys" title="Keys">
        <p>All of them are always there; one that a source does not tell is null or empty.</p>
        <Keys schema={schema} />
      </Part>
      <Part id="shape" title="Shape">
        <Code
          text={JSON.stringify(sampleOf(schema, reference.document), null, 2)}
          label={`The shape of ${name}`}
        />
      </Part>
    </Page>
  );
}
