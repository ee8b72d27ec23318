// The request log: a table of calls with filters that stay in the address, and one call in a dialog
// with what each source did. Whose calls they are, the page says.
import {useEffect, useState} from 'preact/hooks';
import type {Problem} from '../api/http';
import type {RequestRow} from '../api/types';
import {useLoaded, usePages} from '../app/loading';
import {useReference} from '../app/reference';
import {Link, useRouter} from '../app/router';
import {useNewCalls} from '../app/watch';
import {number} from '../data/format';
import type {Endpoint} from '../data/openapi';
import {
  changedQuery,
  curlOf,
  unfiltered,
  filterOf,
  playgroundOf,
  shareOf,
  statusKind,
  type RequestFilter,
} from '../data/requests';
import {Button, Code, CopyButton, Dialog, More} from './controls';
import {SelectField, TextField} from './field';
import {Empty, Loading, LoadedView, Notice, ProblemNotice, NextStep} from './notice';
import {Message} from './message';
import {Facts, Long, Path, Table, type Column} from './table';
import {Time} from './time';
import {actions, answers, counted, fragments, requests as words, shell, terms} from '../words';

const codeExample = 'rate_limited';

/** How the ids of calls look. */
export const idExample = 'req_…';

/** Of a page of the list. */
export const rowsAtOnce = 50;

export interface RequestSource {
  list(
    filter: RequestFilter,
    cursor: string | null,
  ): Promise<{
    rows: RequestRow[];
    next: string | null;
  }>;
  show(id: string): Promise<RequestRow>;
  /** Of the account: id and name. */
  keys: [string, string][];
  /** Whether whoever looks made the calls, and may make them again. */
  own: boolean;
}

function Status({row}: {row: RequestRow}) {
  return <span class={`badge ${statusKind(row.status)}`}>{row.status}</span>;
}

function keyName(row: RequestRow): string {
  return (
    row.key_name ??
    (row.key_id === 'dashboard' ? terms.dashboard : row.key_id.slice(0, 12) + '…')
  );
}

function partOf(value: number | null): string {
  return value === null ? '–' : number(value);
}

/** Those of the last calls, and those of the log. */
export function requestColumns(hrefOf: (row: RequestRow) => string): Column<RequestRow>[] {
  return [
    {name: terms.status, cell: row => <Status row={row} />},
    {
      name: terms.call,
      cell: row => (
        <>
          <Link href={hrefOf(row)}>
            <Path of={row.endpoint} />
          </Link>{' '}
          {row.completeness === 'partial' && <span class="badge warn">{terms.partial}</span>}
          {row.code && <span class="below">{row.code}</span>}
        </>
      ),
    },
    {name: terms.when, cell: row => <Time at={row.created_at} relative />},
    {
      name: terms.key,
      cell: row => (
        <>
          <Long text={keyName(row)} />{' '}
          {row.mode === 'test' && <span class="badge quiet">{terms.test}</span>}
        </>
      ),
    },
    {
      name: terms.credits,
      cell: row => number(row.credits),
      numeric: true,
      // What failed costs nothing, unless it says so.
      unit: row =>
        row.code !== null && row.credits === 0 ? null : fragments.credits(row.credits),
    },
    {name: fragments.milliseconds, cell: row => number(row.elapsed_ms), numeric: true},
    {
      name: terms.items,
      cell: row => partOf(row.items),
      numeric: true,
      unit: row => (row.items === null ? null : fragments.items(row.items)),
    },
  ];
}

interface FiltersProps {
  source: RequestSource;
  endpoints: readonly Endpoint[];
  problem: Problem | null;
}

function withChosen(choices: [string, string][], chosen: string): [string, string][] {
  const isKnown = chosen === '' || choices.some(([value]) => value === chosen);
  return isKnown ? choices : [...choices, [chosen, chosen]];
}

const statuses: [string, string][] = [
  ['', terms.all],
  ['ok', terms.answered],
  ['failed', terms.failed],
  ['4xx', words.clientFault],
  ['5xx', words.serverFault],
];
const spans: [string, string][] = [
  ['', words.allKept],
  ['1h', words.lastHour],
  ['24h', words.lastDay],
  ['7d', words.lastWeek],
];

function Filters({source, endpoints, problem}: FiltersProps) {
  const {path, query, go} = useRouter();
  const [code, setCode] = useState(query.get('code') ?? '');
  const [id, setId] = useState('');
  const change = (to: Record<string, string>) => go(path + changedQuery(query, to), true);
  const select = (label: string, name: string, choices: [string, string][]) => {
    const value = query.get(name) ?? '';
    return (
      <SelectField
        label={label}
        value={value}
        choices={withChosen(choices, value)}
        onValue={to => change({[name]: to})}
        error={problem?.errors?.find(one => one.pointer === `/${name}`)?.detail}
      />
    );
  };
  return (
    <div class="request-filters">
      <form
        class="filter"
        aria-label={actions.filter}
        onSubmit={event => {
          event.preventDefault();
          change({code});
        }}
      >
        {select(terms.status, 'status', statuses)}
        {select(terms.endpoint, 'endpoint', [
          ['', terms.all],
          ...endpoints.map((one): [string, string] => [one.path, one.path]),
        ])}
        {select(terms.key, 'key', [['', terms.all], ...source.keys])}
        {select(terms.mode, 'mode', [
          ['', words.liveAndTest],
          ['live', terms.live],
          ['test', terms.test],
        ])}
        {select(terms.time, 'since', spans)}
        <TextField
          label={terms.code}
          value={code}
          onValue={setCode}
          placeholder={codeExample}
          onBlur={() => change({code})}
          autoCapitalize="none"
          spellcheck={false}
        />
      </form>
      <form
        class="search-row"
        role="search"
        onSubmit={event => {
          event.preventDefault();
          if (id.trim() !== '') go(path + changedQuery(query, {id}));
        }}
      >
        <TextField
          label={words.search}
          type="search"
          placeholder={idExample}
          value={id}
          onValue={setId}
          autoCapitalize="none"
          spellcheck={false}
        />
        <button type="submit" class="secondary">
          {actions.open}
        </button>
      </form>
    </div>
  );
}

/** A bar for each source: they are asked at once. */
function Waterfall({call}: {call: RequestRow}) {
  if (call.sources.length === 0) return null;
  return (
    <section class="waterfall" aria-label={terms.sources}>
      <h3>{terms.sources}</h3>
      <ul>
        {call.sources.map((one, i) => (
          <li key={`${one.name}-${i}`}>
            <span class="long">
              {one.name}
              {one.instance && <span class="below">{one.instance}</span>}
            </span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect
                class={one.status === 'ok' ? 'ok' : 'off'}
                width={shareOf(one.elapsed_ms, call.elapsed_ms)}
                height="6"
              />
            </svg>
            <span class="muted">
              {words.took(one.elapsed_ms)} ·{' '}
              {one.status === 'ok'
                ? counted.of(one.items, one.items_read)
                : (one.code ?? one.status)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function problemIn(call: RequestRow): Problem | null {
  if (call.code === null || call.answer === null) return null;
  try {
    // For how long to wait it said then.
    return {...(JSON.parse(call.answer) as Problem), retry_after_s: null};
  } catch {
    return null;
  }
}

function Failure({call}: {call: RequestRow}) {
  const problem = problemIn(call);
  if (problem) return <ProblemNotice problem={problem} />;
  if (call.code === null) return null;
  return (
    <Notice kind="warn" title={call.code.replaceAll('_', ' ')}>
      <NextStep code={call.code} />
      <p>
        <Link href={`/docs/errors/${call.code}`}>{shell.codeMeaning(call.code)}</Link>
      </p>
    </Notice>
  );
}

function Repeat({call}: {call: RequestRow}) {
  const {reference} = useReference();
  const again = playgroundOf(call.endpoint, call.mode, call.body);
  return (
    <div class="form-foot">
      {!call.endpoint.startsWith('account/') && <Link href={again}>{actions.tryInPlayground}</Link>}
      {call.body !== null && reference && (
        <CopyButton
          verb={actions.copyAsCurl}
          text={curlOf(reference.baseUrl, call.endpoint, call.body)}
        />
      )}
    </div>
  );
}

function CallView({call, own}: {call: RequestRow; own: boolean}) {
  const ledger = call.ledger_entry && (
    <>
      {' '}
      ·{' '}
      {own ? (
        <Link href={`/dashboard/ledger?entry=${call.ledger_entry}`}>{call.ledger_entry}</Link>
      ) : (
        <code>{call.ledger_entry}</code>
      )}
    </>
  );
  return (
    <>
      <Failure call={call} />
      <Facts
        facts={[
          [terms.status, <Status row={call} />],
          [terms.when, <Time at={call.created_at} />],
          [terms.key, `${keyName(call)}, ${call.mode === 'live' ? terms.live : terms.test}`],
          [
            terms.credits,
            <>
              {number(call.credits)}
              {call.replayed && ` ${fragments.replayed}`}
              {ledger}
            </>,
          ],
          [terms.time, words.took(call.elapsed_ms)],
          [
            terms.items,
            `${partOf(call.items)}${call.completeness ? `, ${call.completeness}` : ''}`,
          ],
        ]}
      />
      <Waterfall call={call} />
      {call.body !== null && (
        <section>
          <h3>{words.sent}</h3>
          <Code text={call.body} label={terms.body} />
        </section>
      )}
      {call.answer !== null && (
        <details>
          <summary>{words.answered}</summary>
          <Code text={call.answer} label={answers.name} />
        </details>
      )}
      {own && call.body === null && <p class="help">{words.unkept}</p>}
      {own && <Repeat call={call} />}
    </>
  );
}

function CallDialog({id, source, onClose}: {id: string; source: RequestSource; onClose(): void}) {
  const loaded = useLoaded(() => source.show(id), [id]);
  return (
    <Dialog title={loaded.value?.endpoint ?? terms.call} drawer onClose={onClose}>
      <p class="secret-line">
        <code class="long">{id}</code> <CopyButton text={id} what={terms.requestId} />
      </p>
      <LoadedView of={loaded} what={terms.call}>
        {call => <CallView call={call} own={source.own} />}
      </LoadedView>
    </Dialog>
  );
}

/** What to do where there is no call yet. */
function FirstCall() {
  return (
    <>
      <p>
        <Message text={words.emptyHelp} />
      </p>
      <Link class="button primary" href="/dashboard/playground">
        {actions.openPlayground}
      </Link>
    </>
  );
}

export function RequestLog({source, of = ''}: {source: RequestSource; of?: string}) {
  const {path, query, go} = useRouter();
  const {reference} = useReference();
  const filter = filterOf(query);
  const asked = `${of} ${JSON.stringify(filter)}`;
  const {shown, problem, busy, load} = usePages(cursor => source.list(filter, cursor));
  useEffect(() => void load(null), [asked]);
  // Who has gone back to older calls is not taken away from them.
  useNewCalls(() => {
    if (source.own && !busy && (shown?.rows.length ?? 0) <= rowsAtOnce) void load(null);
  });
  const id = query.get('id');
  const hrefOf = (row: RequestRow) => path + changedQuery(query, {id: row.id});
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <Filters source={source} endpoints={reference?.endpoints ?? []} problem={problem} />
      <ProblemNotice problem={problem} again={() => void load(null)} />
      <section class="card" aria-busy={busy} hidden={shown === null && !busy}>
        {shown === null && busy && <Loading what={terms.calls} />}
        {shown && (
          <Table
            caption={terms.requests}
            lines
            columns={requestColumns(hrefOf)}
            rows={shown.rows}
            empty={
              <Empty title={isFiltered ? words.unmatched : words.empty}>
                {isFiltered && (
                  <Button
                    kind="plain"
                    onClick={() => go(path + changedQuery(query, unfiltered), true)}
                  >
                    {actions.showAll}
                  </Button>
                )}
                {!isFiltered && source.own && <FirstCall />}
              </Empty>
            }
          />
        )}
        {shown?.next && (
          <More
            verb={actions.showOlderCalls}
            onClick={() => void load(shown.next)}
            aria-disabled={busy}
          />
        )}
      </section>
      {id && (
        <CallDialog
          key={id}
          id={id}
          source={source}
          onClose={() => go(path + changedQuery(query, {id: ''}))}
        />
      )}
    </>
  );
}
