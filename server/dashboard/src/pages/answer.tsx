// What a call in the playground answered: what it cost and who answered, then items, JSON and code.
import {useLoaded} from '../app/loading';
import {get} from '../api/http';
import type {Envelope} from '../api/types';
import {download} from '../data/download';
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
import {Message} from '../parts/message';
import {actions, answers as words, terms} from '../words';

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
  if (has('failed')) return words.sourceFailed;
  return has('limited') ? words.sourceLimited : words.sourceNotConfigured;
}

/** How each source did, folded unless one failed: there may be dozens. */
function Sources({answer}: {answer: CallAnswer}) {
  const {sources, warnings, completeness} = answer.envelope.meta;
  const gave = sources.filter(one => one.items > 0).length;

  return (
    <>
      {completeness === 'partial' && <Notice kind="warn" title={whyPartial(warnings)} />}
      {sources.length > 0 && (
        <details class="asked" open={sources.some(one => one.status === 'error') || undefined}>
          <summary>{words.gave(gave, sources.length, warnings.length)}</summary>
          <ul class="source-reports" aria-label={terms.sources}>
            {sources.map(one => (
              <li key={`${one.name} ${one.instance}`} title={one.instance ?? undefined}>
                <span class={`badge ${one.status === 'ok' ? 'ok' : 'warn'}`}>{one.name}</span>{' '}
                {one.status === 'ok'
                  ? words.read(one.items, one.items_read)
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
      <Message text={over ? words.mcpHelpOver : words.mcpHelp} />
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
        <Code text={one.text} label={words.snippet(one.name)} />
      </>
    ),
  }));
  return <Tabs tabs={tabs} label={words.snippets} remember="code" />;
}

function Items({answer, list}: {answer: CallAnswer; list?: boolean}) {
  if (answer.items.length === 0) {
    if (answer.isArriving) return null;
    const read = answer.envelope.meta.sources.reduce((sum, one) => sum + one.items_read, 0);
    return (
      <Empty title={read > 0 ? words.unmatched : words.empty}>
        <p>{read > 0 ? words.unmatchedHelp(read) : words.emptyHelp}</p>
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
        <Button onClick={() => download('page.md', 'text/markdown', markdown)}>
          {actions.download}
        </Button>
        {typeof tokens === 'number' && <span class="help">{words.tokens(tokens)}</span>}
      </p>
      <Code text={markdown} label={words.markdown} />
    </>
  );
}

function itemTabs(answer: CallAnswer): Tab[] {
  const {items} = answer;
  const tabs: Tab[] = [{name: terms.cards, content: () => <Items answer={answer} />}];
  const isLaidOut = isGridOf(items) || items.some(item => item.object === 'comment');
  if (isLaidOut) tabs.push({name: terms.list, content: () => <Items answer={answer} list />});
  if (answer.list && timelineOf(items) !== null) {
    tabs.push({name: terms.map, content: () => <TimelineView items={items} />});
  }
  const [first] = items;
  if (first && typeof first['markdown'] === 'string') {
    tabs.push({name: terms.markdown, content: () => <MarkdownText item={first} />});
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

function summary(answer: CallAnswer | null, busy: boolean): string {
  if (busy && !answer?.isArriving) return words.calling;
  if (answer === null) return words.none;
  if (answer.isArriving) {
    return words.arriving(answer.items.length, answer.envelope.meta.sources.length);
  }
  const items = answer.list ? answer.items.length : null;
  return words.summary(items, answer.pages, answer.spent, answer.elapsedMs);
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
    name: terms.json,
    content: () => <Json value={answer?.envelope} label={words.name} />,
  };
  const code: Tab = {
    name: terms.code,
    content: () => <Snippets endpoint={endpoint} body={answer?.body ?? body} baseUrl={baseUrl} />,
  };
  const items =
    answer && endpoint.answers.objects.some(name => drawn.has(name)) ? itemTabs(answer) : [];
  return (
    <section class="card answer" aria-label={terms.answer} aria-busy={busy}>
      <div class="card-head">
        <h2>{terms.answer}</h2>
        {answer && <CopyButton verb={actions.copyLink} text={location.href} />}
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
            label={words.name}
          />
          {answer.envelope.page?.next_cursor && (
            <More verb={actions.nextPage} onClick={more} aria-disabled={busy} />
          )}
        </>
      ) : (
        <Snippets endpoint={endpoint} body={body} baseUrl={baseUrl} />
      )}
    </section>
  );
}
