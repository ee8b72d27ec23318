// The first page of the docs: the guides, and what holds for every call.
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {price} from '../data/format';
import {snippetsOf} from '../data/snippets';
import {Code} from '../parts/controls';
import {Table, type Column} from '../parts/table';
import type {Guide} from '../data/guides';
import type {Endpoint} from '../data/openapi';
import {GuideList} from './guides';
import {Part} from './heading';

const columns: Column<Endpoint>[] = [
  {name: 'Endpoint', cell: row => <Link href={`/docs/${row.path}`}>{row.path}</Link>},
  {name: 'Answers', cell: row => row.summary},
  {name: 'Price', cell: row => price(row.credits), numeric: true},
];

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

function Calling({reference}: {reference: Reference}) {
  const [curl] = snippetsOf({
    baseUrl: reference.baseUrl,
    endpoint: 'forum/search',
    operation: 'forum_search',
    list: true,
    body: {q: '"tide gauge"', limit: 3},
  });
  return (
    <Part id="calling" title="Calling">
      <p>
        A call is a <code>POST</code> of a JSON object with a key. One key reaches all. A{' '}
        <Link href="/dashboard/keys">test key</Link> reaches the sandbox, at no cost.
      </p>
      <Code text={curl?.text ?? ''} label="A call with curl" />
    </Part>
  );
}

interface Props {
  reference: Reference;
  guides: readonly Guide[];
}

export function StartPage({reference, guides}: Props) {
  const {info} = reference.document;
  return (
    <Page title="Docs" lead={firstSentence(info.description ?? '')}>
      {guides.length > 0 && (
        <Part id="guides" title="Guides">
          <GuideList guides={guides} />
        </Part>
      )}
      <Calling reference={reference} />
      <Part id="endpoints" title="Endpoints">
        <Table caption="Endpoints" columns={columns} rows={reference.endpoints} />
      </Part>
      <Part id="answers" title="Answers">
        <p>
          Every answer is <code>data</code>, <code>page</code> for a list, and <code>meta</code>:
          the request’s id, what it cost, what is left, and what each source did. When one of
          several sources fails, <code>completeness</code> is <code>partial</code> and the others
          answer.
        </p>
      </Part>
      <Part id="pages" title="Pages">
        <p>
          Give <code>page.next_cursor</code> as <code>cursor</code> with the same parameters. Pages
          never repeat an item; on the last one <code>has_more</code> is false. A cursor is bound to
          its query and cannot be changed.
        </p>
      </Part>
      <Part id="credits" title="Credits">
        <p>
          Only a success is charged; an error, an empty first page, a dry run and a test key’s call
          cost nothing. <code>dry_run</code> says the price, <code>max_credits</code> refuses above
          it, and <code>X-Service-Credits-Used</code> stands on every answer. The same{' '}
          <code>Idempotency-Key</code> and body within 24 hours are charged once.
        </p>
      </Part>
      <Part id="errors" title="Errors">
        <p>
          An error is a problem document with a stable <code>code</code>, a <code>detail</code> that
          says what to do, and a pointer to every wrong parameter. <code>402</code> is about money
          only, <code>429</code> about the rate only. See <Link href="/docs/errors">all codes</Link>
          .
        </p>
      </Part>
      <Part id="machines" title="For machines">
        <p>
          This reference is made from <a href="/openapi.json">/openapi.json</a>, OpenAPI 3.1,
          version {info.version}. Agents find the guides and the endpoints as markdown by{' '}
          <a href="/llms.txt">/llms.txt</a>.
        </p>
      </Part>
    </Page>
  );
}
