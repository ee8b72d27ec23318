// One endpoint: what it takes, what it answers, what it costs, how it fails.
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {joinsOthers, sampleOf, type Endpoint, type Parameter} from '../data/openapi';
import {Code} from '../parts/controls';
import {Prose} from '../parts/markdown';
import {Snippets} from '../pages/answer';
import {Part} from './heading';
import {Key} from './schema';
import {Message} from '../parts/message';
import {Table} from '../parts/table';
import {ownColumns} from './errors';
import {actions, counted, docs as words, fragments, terms} from '../words';

function marks(endpoint: Endpoint, parameter: Parameter): {mark?: string} {
  if (parameter.required) return {mark: terms.required};
  const others = endpoint.oneOf.flat().filter(name => name !== parameter.name);
  const isOne = endpoint.oneOf.flat().includes(parameter.name);
  return isOne ? {mark: words.oneOf(others)} : {};
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

const anchorOf = (name: string) => `parameter-${name}`;

/** What a first call needs; the rest is folded until one asks for it, or comes for it. */
function Parameters({of: endpoint}: {of: Endpoint}) {
  const listed = (parameters: readonly Parameter[]) => (
    <ul class="keys">
      {parameters.map(one => (
        <Key
          key={one.name}
          id={anchorOf(one.name)}
          name={one.name}
          schema={one.schema}
          {...marks(endpoint, one)}
        />
      ))}
    </ul>
  );
  const isFirst = (one: Parameter) => one.name in endpoint.example || marks(endpoint, one).mark;
  const rest = endpoint.parameters.filter(one => !isFirst(one));
  const isSought = rest.some(one => location.hash === `#${anchorOf(one.name)}`);
  return (
    <>
      {listed(endpoint.parameters.filter(isFirst))}
      {rest.length > 0 && (
        <details open={isSought || undefined}>
          <summary>{counted.moreParameters(rest.length)}</summary>
          {listed(rest)}
        </details>
      )}
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
          {actions.tryIt}
        </Link>
      }
    >
      <div class="endpoint">
        <div class="about">
          <p class="operation">
            <span class="badge ok">{terms.post}</span>{' '}
            <code>{`${reference.baseUrl}/v1/${endpoint.path}`}</code>
          </p>
          <ul class="facts-row">
            <li>
              {endpoint.credits === 0
                ? terms.free
                : words.eachSuccess(endpoint.credits, joinsOthers(endpoint))}
            </li>
            <li>
              <Message text={fragments.scope(endpoint.scope)} />
            </li>
            <li>
              <Message
                text={list ? fragments.listOfObjects(objects) : fragments.oneObject(objects)}
              />
            </li>
          </ul>
          {endpoint.description && (
            <p>
              <Prose text={endpoint.description} />
            </p>
          )}
        </div>
        <div class="shown">
          <Part id="example" title={terms.example}>
            <Snippets endpoint={endpoint} body={endpoint.example} baseUrl={reference.baseUrl} />
          </Part>
          <Part id="answer" title={terms.answer}>
            <p>
              <Message text={list ? words.envelopeOfList(objects) : words.envelope(objects)} />
            </p>
            <Code
              text={JSON.stringify(sample(endpoint, reference), null, 2)}
              label={words.answer}
            />
          </Part>
        </div>
        <div>
          <Part id="parameters" title={terms.parameters}>
            <Parameters of={endpoint} />
          </Part>
          <Part id="errors" title={terms.errors}>
            <p>
              <Message text={words.problem} />
            </p>
            <Table
              caption={words.ownErrors}
              columns={ownColumns}
              rows={reference.errors.filter(one => endpoint.errors.includes(one.code))}
            />
          </Part>
        </div>
      </div>
    </Page>
  );
}
