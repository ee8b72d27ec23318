// What a call in the playground answered: what it cost and who answered, then items, JSON and code.
import {useLoaded} from '../app/loading';
import {get} from '../api/http';
import type {Envelope} from '../api/types';
import {counted, credits} from '../data/format';
import type {Endpoint} from '../data/openapi';
import {snippetsOf} from '../data/snippets';
import {Code, More, Tabs, type Tab} from '../parts/controls';
import {ItemView, type Item} from '../parts/items';
import {Empty, Notice} from '../parts/notice';

export interface CallAnswer {
  envelope: Envelope<unknown>;
  /** Of all pages so far. */
  items: Item[];
  list: boolean;
  pages: number;
  spent: number;
  elapsedMs: number;
  /** What was asked, for the next page. */
  body: Record<string, unknown>;
  sandbox: boolean;
}

function Sources({answer}: {answer: CallAnswer}) {
  const {sources, warnings, completeness} = answer.envelope.meta;
  return (
    <>
      {completeness === 'partial' && (
        <Notice kind="warn" title="The answer is partial: a source failed" />
      )}
      {warnings.length > 0 && (
        <ul class="warnings">
          {warnings.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {sources.length > 0 && (
        <ul class="source-reports" aria-label="Sources">
          {sources.map(one => (
            <li key={one.name}>
              <span class={`badge ${one.status === 'ok' ? 'ok' : 'warn'}`}>{one.name}</span>{' '}
              {one.status === 'ok' ? counted(one.items, 'item') : (one.code ?? one.status)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Where the message goes, as far as this server says that it takes it. */
function McpNote() {
  const index = useLoaded(() => get<{links: Record<string, string>}>('/'), []);
  const over = index.value !== null && '/mcp' in index.value.links;
  return (
    <p class="help">
      A message to <code>freshet mcp</code>, over standard input and output
      {over && (
        <>
          , or to <code>/mcp</code> of this server
        </>
      )}
      .
    </p>
  );
}

interface SnippetsProps {
  endpoint: Endpoint;
  body: Record<string, unknown>;
  baseUrl: string;
}

export function Snippets({endpoint, body, baseUrl}: SnippetsProps) {
  const snippets = snippetsOf({
    baseUrl,
    endpoint: endpoint.path,
    operation: endpoint.operation,
    list: endpoint.answers.list,
    body,
  });
  const tabs: Tab[] = snippets.map(one => ({
    name: one.name,
    content: () => (
      <>
        {one.name === 'MCP' && <McpNote />}
        <Code text={one.text} label={`The call with ${one.name}`} />
      </>
    ),
  }));
  return <Tabs tabs={tabs} label="The call as code" />;
}

function Items({answer}: {answer: CallAnswer}) {
  if (answer.items.length === 0) {
    return (
      <Empty title="Nothing matches">
        <p>An empty first page costs nothing.</p>
      </Empty>
    );
  }
  return (
    <div class="items">
      {answer.items.map(item => (
        <ItemView key={item.id} item={item} />
      ))}
    </div>
  );
}

interface Props {
  answer: CallAnswer | null;
  busy: boolean;
  endpoint: Endpoint;
  body: Record<string, unknown>;
  baseUrl: string;
  more(): void;
}

function summary(answer: CallAnswer): string {
  const items = answer.list ? `${counted(answer.items.length, 'item')}, ` : '';
  const pages = answer.pages > 1 ? `${counted(answer.pages, 'page')}, ` : '';
  return `${items}${pages}${credits(answer.spent)}, ${answer.elapsedMs} ms`;
}

/** What the items are is known only for what has a shape of its own; the rest is JSON. */
const drawn = new Set([
  'Post',
  'User',
  'Video',
  'ForumPost',
  'Comment',
  'WebResult',
  'WebImage',
  'Suggestion',
  'Article',
  'Document',
  'SiteAddress',
  'Extraction',
  'Transcript',
]);

export function AnswerView({answer, busy, endpoint, body, baseUrl, more}: Props) {
  const json: Tab = {
    name: 'JSON',
    content: () => <Code text={JSON.stringify(answer?.envelope, null, 2)} label="The answer" />,
  };
  const code: Tab = {
    name: 'Code',
    content: () => <Snippets endpoint={endpoint} body={answer?.body ?? body} baseUrl={baseUrl} />,
  };
  const items: Tab[] =
    answer && endpoint.answers.objects.some(name => drawn.has(name))
      ? [{name: 'Items', content: () => <Items answer={answer} />}]
      : [];
  return (
    <section class="card answer" aria-label="Answer" aria-busy={busy}>
      <h2>Answer</h2>
      <p class="live" role="status">
        {busy ? 'Calling…' : answer ? summary(answer) : 'No call yet. It will look like this:'}
      </p>
      {answer ? (
        <>
          <Sources answer={answer} />
          <Tabs key={items.length} tabs={[...items, json, code]} label="The answer" />
          {answer.envelope.page?.next_cursor && (
            <More verb="Next page" onClick={more} aria-disabled={busy} />
          )}
        </>
      ) : (
        <Snippets endpoint={endpoint} body={body} baseUrl={baseUrl} />
      )}
    </section>
  );
}
