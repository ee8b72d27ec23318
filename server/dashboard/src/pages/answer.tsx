// What a call in the playground answered: what it cost and who answered, then items, JSON and code.
import {useLoaded} from '../app/loading';
import {get} from '../api/http';
import type {Envelope} from '../api/types';
import {download} from '../data/download';
import {counted, credits, number} from '../data/format';
import type {Endpoint} from '../data/openapi';
import {snippetsOf} from '../data/snippets';
import {timelineOf} from '../data/timeline';
import {Cards, isGridOf} from '../parts/cards';
import {Button, Code, CopyButton, More, Tabs, type Tab} from '../parts/controls';
import type {Item} from '../parts/items';
import {Json} from '../parts/json';
import {Empty, Notice} from '../parts/notice';
import {PicturesOf, type Pictures} from '../parts/picture';
import {TimelineView} from '../parts/timeline';

export interface CallAnswer {
  envelope: Envelope<unknown> & {pictures?: Pictures};
  /** Of all pages so far. */
  items: Item[];
  list: boolean;
  pages: number;
  spent: number;
  elapsedMs: number;
  /** What was asked, for the next page. */
  body: Record<string, unknown>;
  sandbox: boolean;
  /** Whether some of its sources are still asked. */
  isArriving?: boolean;
}

/** Why an answer is short, by the kinds that its warnings name: none of them contradicts a source
    that answered. */
function whyPartial(warnings: readonly string[]): string {
  const has = (kind: string) => warnings.some(one => one.startsWith(`${kind}:`));
  if (has('failed')) return 'Partial: a source failed';
  return has('limited') ? 'Partial: a source was limited' : 'Partial: a source is not configured';
}

/** How each source did, folded unless one failed: there may be dozens. */
function Sources({answer}: {answer: CallAnswer}) {
  const {sources, warnings, completeness} = answer.envelope.meta;
  const gave = sources.filter(one => one.items > 0).length;
  const notes = warnings.length > 0 ? `, ${counted(warnings.length, 'note')}` : '';
  return (
    <>
      {completeness === 'partial' && <Notice kind="warn" title={whyPartial(warnings)} />}
      {sources.length > 0 && (
        <details class="asked" open={sources.some(one => one.status === 'error') || undefined}>
          <summary>
            {number(gave)} of {counted(sources.length, 'source')} gave something{notes}
          </summary>
          <ul class="source-reports" aria-label="Sources">
            {sources.map(one => (
              <li key={`${one.name} ${one.instance}`} title={one.instance ?? undefined}>
                <span class={`badge ${one.status === 'ok' ? 'ok' : 'warn'}`}>{one.name}</span>{' '}
                {one.status === 'ok'
                  ? `${number(one.items)} of ${counted(one.items_read, 'item')} read`
                  : (one.code ?? one.status.replaceAll('_', ' '))}
              </li>
            ))}
          </ul>
          {warnings.length > 0 && (
            <ul class="warnings">
              {warnings.map(one => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          )}
        </details>
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
  return <Tabs tabs={tabs} label="The call as code" remember="code" />;
}

function Items({answer, list}: {answer: CallAnswer; list?: boolean}) {
  if (answer.items.length === 0) {
    if (answer.isArriving) return null;
    const read = answer.envelope.meta.sources.reduce((sum, one) => sum + one.items_read, 0);
    return (
      <Empty title={read > 0 ? 'Nothing that was read matches' : 'Nothing was found'}>
        <p>
          {read > 0 && `${counted(read, 'item')} were read and none is what was asked for. `}
          An empty first page costs nothing.
        </p>
      </Empty>
    );
  }
  return (
    <PicturesOf of={answer.envelope.pictures ?? {}}>
      <Cards items={answer.items} list={list} />
    </PicturesOf>
  );
}

/** A page's markdown as it is, with what it takes and a way to keep it. */
function MarkdownText({item}: {item: Item}) {
  const markdown = String(item['markdown'] ?? '');
  const tokens = item['token_estimate'];
  return (
    <>
      <p class="form-foot">
        <Button onClick={() => download('page.md', 'text/markdown', markdown)}>Download</Button>
        {typeof tokens === 'number' && (
          <span class="help">About {counted(tokens, 'token')}</span>
        )}
      </p>
      <Code text={markdown} label="the markdown" />
    </>
  );
}

function itemTabs(answer: CallAnswer): Tab[] {
  const {items} = answer;
  const tabs: Tab[] = [{name: 'Cards', content: () => <Items answer={answer} />}];
  const isLaidOut = isGridOf(items) || items.some(item => item.object === 'comment');
  if (isLaidOut) tabs.push({name: 'List', content: () => <Items answer={answer} list />});
  if (answer.list && timelineOf(items) !== null) {
    tabs.push({name: 'Map', content: () => <TimelineView items={items} />});
  }
  const [first] = items;
  if (first && typeof first['markdown'] === 'string') {
    tabs.push({name: 'Markdown', content: () => <MarkdownText item={first} />});
  }
  return tabs;
}

interface Props {
  answer: CallAnswer | null;
  busy: boolean;
  endpoint: Endpoint;
  body: Record<string, unknown>;
  baseUrl: string;
  more(): void;
}

const calling = 'Calling…';

function summary(answer: CallAnswer | null, busy: boolean): string {
  if (busy && !answer?.isArriving) return calling;
  if (answer === null) return 'No call yet. It will look like this:';
  if (answer.isArriving) {
    const sources = counted(answer.envelope.meta.sources.length, 'source');
    return `${calling} ${counted(answer.items.length, 'item')} of ${sources}`;
  }
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
  'Trend',
]);

export function AnswerView({answer, busy, endpoint, body, baseUrl, more}: Props) {
  const json: Tab = {
    name: 'JSON',
    content: () => <Json value={answer?.envelope} label="the answer" />,
  };
  const code: Tab = {
    name: 'Code',
    content: () => <Snippets endpoint={endpoint} body={answer?.body ?? body} baseUrl={baseUrl} />,
  };
  const items =
    answer && endpoint.answers.objects.some(name => drawn.has(name)) ? itemTabs(answer) : [];
  return (
    <section class="card answer" aria-label="Answer" aria-busy={busy}>
      <div class="card-head">
        <h2>Answer</h2>
        {answer && <CopyButton named text={location.href} what="link" />}
      </div>
      <p class="live" role="status">
        {summary(answer, busy)}
      </p>
      {answer ? (
        <>
          <Sources answer={answer} />
          <Tabs
            key={items.map(one => one.name).join()}
            tabs={[...items, json, code]}
            label="The answer"
          />
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
