// The first page of the docs: the guides, and what holds for every call.
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {snippetsOf} from '../data/snippets';
import {Code} from '../parts/controls';
import {Table, type Column} from '../parts/table';
import type {Guide} from '../data/guides';
import {joinsOthers, type Endpoint} from '../data/openapi';
import {GuideList} from './guides';
import {Part} from './heading';
import {Message} from '../parts/message';
import {docs as words, terms} from '../words';

const columns: Column<Endpoint>[] = [
  {name: terms.endpoint, cell: row => <Link href={`/docs/${row.path}`}>{row.path}</Link>},
  {name: words.answers, cell: row => row.summary},
  {
    name: terms.price,
    cell: row => (row.credits === 0 ? terms.free : words.price(row.credits, joinsOthers(row))),
    numeric: true,
  },
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
    <Part id="calling" title={words.calling}>
      <p>
        <Message text={words.callingHelp} />
      </p>
      <Code text={curl?.text ?? ''} label={words.callWithCurl} />
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
    <Page title={terms.docs} lead={firstSentence(info.description ?? '')}>
      {guides.length > 0 && (
        <Part id="guides" title={terms.guides}>
          <GuideList guides={guides} />
        </Part>
      )}
      <Calling reference={reference} />
      <Part id="endpoints" title={terms.endpoints}>
        <Table caption={terms.endpoints} columns={columns} rows={reference.endpoints} />
      </Part>
      <Part id="answers" title={words.answers}>
        <p>
          <Message text={words.answersHelp} />
        </p>
      </Part>
      <Part id="pages" title={terms.pages}>
        <p>
          <Message text={words.pagesHelp} />
        </p>
      </Part>
      <Part id="credits" title={terms.credits}>
        <p>
          <Message text={words.creditsHelp} />
        </p>
      </Part>
      <Part id="errors" title={terms.errors}>
        <p>
          <Message text={words.errorsHelp} />
        </p>
      </Part>
      <Part id="machines" title={words.machines}>
        <p>
          <Message text={words.machinesHelp(info.version)} />
        </p>
      </Part>
    </Page>
  );
}
