// One endpoint: what it takes, what it answers, what it costs, how it fails.
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {credits} from '../data/format';
import {sampleOf, type Endpoint, type Parameter} from '../data/openapi';
import {Code} from '../parts/controls';
import {Prose} from '../parts/markdown';
import {Snippets} from '../pages/answer';
import {Part} from './heading';
import {Key} from './schema';

function marks(endpoint: Endpoint, parameter: Parameter): {mark?: string} {
  if (parameter.required) return {mark: 'required'};
  const others = endpoint.oneOf.flat().filter(name => name !== parameter.name);
  const isOne = endpoint.oneOf.flat().includes(parameter.name);
  return isOne ? {mark: `this or ${others.join(' or ')}`} : {};
}

/** What the sandbox answers; where the description has no example, the shape of it. */
function sample(endpoint: Endpoint, reference: Reference): unknown {
  if (endpoint.answer !== null) return endpoint.answer;
  const samples = endpoint.answers.objects.map(name =>
    sampleOf({$ref: `#/components/schemas/${name}`}, reference.document),
  );
  const meta = sampleOf({$ref: '#/components/schemas/Meta'}, reference.document);
  if (!endpoint.answers.list) return {data: samples[0] ?? null, meta};
  return {data: samples, page: {next_cursor: null, has_more: false}, meta};
}

/** The names, each a link to its page: "Post, Video or Article". */
function Objects({names}: {names: readonly string[]}) {
  return (
    <>
      {names.map((name, i) => (
        <span key={name}>
          {i > 0 && (i === names.length - 1 ? ' or ' : ', ')}
          <Link href={`/docs/objects/${name}`}>{name}</Link>
        </span>
      ))}
    </>
  );
}

interface Props {
  reference: Reference;
  endpoint: Endpoint;
}

export function EndpointPage({reference, endpoint}: Props) {
  const {objects, list} = endpoint.answers;
  return (
    <Page
      title={endpoint.path}
      lead={endpoint.summary}
      actions={
        <Link class="button secondary" href={`/dashboard/playground/${endpoint.path}`}>
          Try it
        </Link>
      }
    >
      <p class="operation">
        <span class="badge ok">POST</span>{' '}
        <code>
          {reference.baseUrl}/v1/{endpoint.path}
        </code>
      </p>
      <ul class="facts-row">
        <li>{endpoint.credits === 0 ? 'free' : `${credits(endpoint.credits)} a success`}</li>
        <li>
          scope <code>{endpoint.scope}</code>
        </li>
        <li>
          answers {list ? 'a list of ' : 'one '}
          <Objects names={objects} />
        </li>
      </ul>
      {endpoint.description && (
        <p>
          <Prose text={endpoint.description} />
        </p>
      )}
      <Part id="parameters" title="Parameters">
        <ul class="keys">
          {endpoint.parameters.map(one => (
            <Key
              key={one.name}
              id={`parameter-${one.name}`}
              name={one.name}
              schema={one.schema}
              {...marks(endpoint, one)}
            />
          ))}
        </ul>
      </Part>
      <Part id="example" title="Example">
        <Snippets endpoint={endpoint} body={endpoint.example} baseUrl={reference.baseUrl} />
      </Part>
      <Part id="answer" title="Answer">
        <p>
          An envelope: <code>data</code>
          {list && (
            <>
              , <code>page</code>
            </>
          )}{' '}
          and <code>meta</code>. The keys of <code>data</code> are those of{' '}
          <Objects names={objects} />.
        </p>
        <Code text={JSON.stringify(sample(endpoint, reference), null, 2)} label="An answer" />
      </Part>
      <Part id="errors" title="Errors">
        <p>
          A problem document with one of the <Link href="/docs/errors">codes</Link>. A call that
          fails costs nothing.
        </p>
      </Part>
    </Page>
  );
}
