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
  filterOf,
  playgroundOf,
  shareOf,
  statusKind,
  type RequestFilter,
} from '../data/requests';
import {Button, Code, CopyButton, Dialog, More} from './controls';
import {SelectField, TextField} from './field';
import {Empty, Loading, LoadedView, Notice, ProblemNotice} from './notice';
import {Facts, Table, type Column} from './table';
import {Time} from './time';

/** Of a page of the list. */
export const rowsAtOnce = 50;

export interface RequestSource {
  list(filter: RequestFilter, cursor: string | null): Promise<{
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
  return row.key_name ?? (row.key_id === 'dashboard' ? 'dashboard' : row.key_id.slice(0, 12) + '…');
}

function partOf(value: number | null): string {
  return value === null ? '–' : number(value);
}

/** Those of the last calls, and those of the log. */
export function requestColumns(hrefOf: (row: RequestRow) => string): Column<RequestRow>[] {
  return [
    {name: 'Status', cell: row => <Status row={row} />},
    {
      name: 'Call',
      cell: row => (
        <>
          <Link href={hrefOf(row)}>{row.endpoint}</Link>
          {row.code && <span class="below">{row.code}</span>}
        </>
      ),
    },
    {name: 'When', cell: row => <Time at={row.created_at} relative />},
    {
      name: 'Key',
      cell: row => (
        <>
          {keyName(row)} {row.mode === 'test' && <span class="badge quiet">test</span>}
        </>
      ),
    },
    {name: 'Credits', cell: row => number(row.credits), numeric: true},
    {name: 'ms', cell: row => number(row.elapsed_ms), numeric: true},
    {
      name: 'Items',
      cell: row => (
        <>
          {partOf(row.items)}
          {row.completeness === 'partial' && <span class="badge warn">partial</span>}
        </>
      ),
      numeric: true,
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
  ['', 'All'],
  ['ok', 'Answered'],
  ['failed', 'Failed'],
  ['4xx', '4xx: the call’s fault'],
  ['5xx', '5xx: a source’s or ours'],
];
const spans: [string, string][] = [
  ['', 'All that is kept'],
  ['1h', 'The last hour'],
  ['24h', 'The last day'],
  ['7d', 'The last week'],
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
        aria-label="Filter"
        onSubmit={event => {
          event.preventDefault();
          change({code});
        }}
      >
        {select('Status', 'status', statuses)}
        {select('Endpoint', 'endpoint', [
          ['', 'All'],
          ...endpoints.map((one): [string, string] => [one.path, one.path]),
        ])}
        {select('Key', 'key', [['', 'All'], ...source.keys])}
        {select('Mode', 'mode', [['', 'Live and test'], ['live', 'Live'], ['test', 'Test']])}
        {select('Time', 'since', spans)}
        <TextField
          label="Code"
          value={code}
          onValue={setCode}
          placeholder="e.g. rate_limited"
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
          label="Find a call"
          type="search"
          placeholder="req_…"
          value={id}
          onValue={setId}
          autoCapitalize="none"
          spellcheck={false}
        />
        <button type="submit" class="secondary">
          Open
        </button>
      </form>
    </div>
  );
}

/** A bar for each source: they are asked at once. */
function Waterfall({call}: {call: RequestRow}) {
  if (call.sources.length === 0) return null;
  return (
    <section class="waterfall" aria-label="Sources">
      <h3>Sources</h3>
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
              {number(one.elapsed_ms)} ms ·{' '}
              {one.status === 'ok' ? `${one.items} of ${one.items_read}` : (one.code ?? one.status)}
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
    return JSON.parse(call.answer) as Problem;
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
      <p>
        <Link href={`/docs/errors/${call.code}`}>What {call.code} means</Link>
      </p>
    </Notice>
  );
}

function Repeat({call}: {call: RequestRow}) {
  const {reference} = useReference();
  const again = playgroundOf(call.endpoint, call.mode, call.body);
  return (
    <div class="form-foot">
      {!call.endpoint.startsWith('account/') && <Link href={again}>Again in the playground</Link>}
      {call.body !== null && reference && (
        <CopyButton
          named
          what="as curl"
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
      · {own ? (
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
          ['Status', <Status row={call} />],
          ['When', <Time at={call.created_at} />],
          ['Key', `${keyName(call)}, ${call.mode}`],
          ['Credits', <>{number(call.credits)}{call.replayed && ' (answered again)'}{ledger}</>],
          ['Time', `${number(call.elapsed_ms)} ms`],
          ['Items', `${partOf(call.items)}${call.completeness ? `, ${call.completeness}` : ''}`],
        ]}
      />
      <Waterfall call={call} />
      {call.body !== null && (
        <section>
          <h3>As it was sent</h3>
          <Code text={call.body} label="the body" />
        </section>
      )}
      {call.answer !== null && (
        <details>
          <summary>What was answered</summary>
          <Code text={call.answer} label="the answer" />
        </details>
      )}
      {own && call.body === null && (
        <p class="help">What was sent is kept only where the operator says so.</p>
      )}
      {own && <Repeat call={call} />}
    </>
  );
}

function CallDialog({id, source, onClose}: {id: string; source: RequestSource; onClose(): void}) {
  const loaded = useLoaded(() => source.show(id), [id]);
  return (
    <Dialog title={loaded.value?.endpoint ?? 'A call'} drawer onClose={onClose}>
      <p class="secret-line">
        <code class="long">{id}</code> <CopyButton text={id} what="the request id" />
      </p>
      <LoadedView of={loaded} what="the call">
        {call => <CallView call={call} own={source.own} />}
      </LoadedView>
    </Dialog>
  );
}

export function RequestLog({source, of}: {source: RequestSource; of: string}) {
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
        {shown === null && busy && <Loading what="the calls" />}
        {shown && (
          <Table
            caption="Requests"
            lines
            columns={requestColumns(hrefOf)}
            rows={shown.rows}
            empty={
              <Empty title={isFiltered ? 'No call matches' : 'No calls yet'}>
                {isFiltered && (
                  <Button kind="plain" onClick={() => go(path, true)}>
                    Show all
                  </Button>
                )}
              </Empty>
            }
          />
        )}
        {shown?.next && (
          <More
            verb="Show older calls"
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
