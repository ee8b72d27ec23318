// The account at a glance: what is left, what was used, and the last movements.
import {useMemo, useRef, useState} from 'preact/hooks';
import {call, callAll, pagesOf, showAccount} from '../api/calls';
import type {Account, ApiKey, RequestRow, UsageRow} from '../api/types';
import {useReference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {useLoaded, type Loaded} from '../app/loading';
import {useNewCalls} from '../app/watch';
import {budgetState, creditsState} from '../data/alerts';
import {daysLeft, number, timeZone} from '../data/format';
import {countsOf, durationsOf, type Durations} from '../data/requests';
import {creditsADay, lastsUntil, type Split} from '../data/usage';
import {Meter} from '../parts/controls';
import {Loading, LoadedView, Notice} from '../parts/notice';
import {FirstSteps} from '../parts/first_steps';
import {requestColumns} from '../parts/requests';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {namesOf, UsageReport} from '../parts/usage_report';
import {Message} from '../parts/message';
import {actions, fragments, overview as words, requests as calls, terms} from '../words';

/** The month's part of what is left, and what was granted beside it: one bar cannot say both. */
function Balance({account, pace}: {account: Account; pace: number[] | null}) {
  const available = account.balance - account.reserved;
  const {grant, end} = account.period;
  const ofMonth = Math.max(0, Math.min(available, grant));
  const beside = Math.max(0, available - grant);
  const until = pace === null ? null : lastsUntil(available, pace);
  const isShort = until !== null && until.getTime() < Date.parse(end);
  return (
    <>
      <strong>{number(available)}</strong> {fragments.credits(available)}
      <Meter
        share={grant > 0 ? ofMonth / grant : 0}
        state={creditsState(account).state}
        label={words.ofMonth(ofMonth, grant)}
      />
      <p class="help">
        {words.ofMonth(ofMonth, grant)}
        {beside > 0 && fragments.besides(beside)}
        {account.reserved > 0 && fragments.held(account.reserved)}
      </p>
      {until && (
        <p class={isShort ? 'help bad-text' : 'help'}>
          {isShort ? (
            <>
              {words.lastUntil} <Time at={until.toISOString()} />
            </>
          ) : (
            words.lastLonger
          )}
        </p>
      )}
    </>
  );
}

function Numbers({account, pace}: {account: Account; pace: number[] | null}) {
  const left = daysLeft(account.period.end);
  return (
    <dl class="numbers">
      <div class="card">
        <dt>{terms.balance}</dt>
        <dd>
          <Balance account={account} pace={pace} />
        </dd>
      </div>
      <div class="card">
        <dt>{terms.plan}</dt>
        <dd>
          <strong class="word">{account.plan}</strong>
          <p class="help">
            {words.limits(account.period.grant, account.limits.rate, account.limits.burst)}
          </p>
        </dd>
      </div>
      <div class="card">
        <dt>{terms.period}</dt>
        <dd>
          <strong>{number(left)}</strong> {fragments.daysLeft(left)}
          <p class="help">
            {words.noRollOver} {words.nextGrant} <Time at={account.period.end} />.
          </p>
        </dd>
      </div>
    </dl>
  );
}

/** What refuses calls now, or soon will. */
function Alerts({account, keys}: {account: Account; keys: readonly ApiKey[]}) {
  const {state, left} = creditsState(account);
  const now = Date.now();
  const full = keys
    .filter(key => budgetState(key, now) === 'empty')
    .map(key => key.name || `${key.prefix}…${key.last_four}`);
  return (
    <>
      {state === 'empty' && (
        <Notice kind="bad" title={words.usedUp}>
          <p>{words.usedUpHelp}</p>
        </Notice>
      )}
      {state === 'low' && (
        <Notice kind="warn" title={words.runningLow}>
          <p>{words.ofMonth(left, account.period.grant)}</p>
        </Notice>
      )}
      {full.length > 0 && (
        <Notice kind="warn" title={words.budgetsReached(full)}>
          <p>
            <Message text={words.budgetsReachedHelp} />
          </p>
        </Notice>
      )}
    </>
  );
}

/** Keys by what their owner calls them. */
async function keyNames(): Promise<Map<string, string>> {
  return namesOf(await callAll<ApiKey>('account/keys/list', {}));
}

/** So many of the last that failed are drawn. */
const failuresDrawn = 1000;

async function failedSince(since: string): Promise<RequestRow[]> {
  const rows: RequestRow[] = [];
  const asked = {status: 'failed', since};
  for await (const page of pagesOf<RequestRow>('account/requests/list', asked)) {
    rows.push(...page);
    if (rows.length >= failuresDrawn) break;
  }
  return rows;
}

type Read = Parameters<typeof UsageReport>[0]['read'];

/** What the last days cost, each: out of the chart's rows where they add up to that. By source a
 * call counts under each that served it, and of failures the chart asks for no credits. */
function usePace() {
  const [pace, setPace] = useState<number[] | null>(null);
  const isAsked = useRef(false);
  const learn = async (asking: Promise<UsageRow[]>) => {
    isAsked.current = true;
    setPace(creditsADay(await asking.catch(() => [])));
  };
  const ask = () => {
    const asked = {since: '7d', group_by: 'day', time_zone: timeZone(), empty_days: true};
    if (!isAsked.current) void learn(callAll<UsageRow>('account/usage', asked));
  };
  const read = (asked: object, by: Split) => {
    const rows = callAll<UsageRow>('account/usage', asked);
    if (by === 'source') ask();
    else void learn(rows);
    return rows;
  };
  return {pace, ask, read};
}

function Usage({read, failed}: {read: Read; failed(since: string): Promise<RequestRow[]>}) {
  return (
    <section class="card of-chart">
      <UsageReport
        title={terms.usage}
        read={read}
        failed={failed}
        keyNames={keyNames}
      >
        <p>
          <Message text={words.usageHelp} />
        </p>
      </UsageReport>
    </section>
  );
}

const failuresLookedAt = 100;

/** Which errors came back this week, and how often: what to look at first. */
function Failures({failed}: {failed: readonly RequestRow[]}) {
  const counts = countsOf(failed, row => row.code ?? String(row.status));
  if (counts.length === 0) return null;
  return (
    <section class="card">
      <div class="card-head">
        <h2>{words.failures}</h2>
        <Link href="/dashboard/requests?status=failed&since=7d">{actions.allFailures}</Link>
      </div>
      <ul class="facts-row">
        {counts.map(([code, count]) => (
          <li key={code}>
            <Link href={`/dashboard/requests?since=7d&code=${encodeURIComponent(code)}`}>
              {code}
            </Link>{' '}
            {count === failuresLookedAt ? words.atLeast(count) : number(count)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The last that are looked at, for how long they took. */
const callsTimed = 100;
const endpointsTimed = 6;

const durationColumns: Column<Durations>[] = [
  {
    name: terms.endpoint,
    cell: row => (
      <Link href={`/dashboard/requests?since=7d&endpoint=${encodeURIComponent(row.endpoint)}`}>
        {row.endpoint}
      </Link>
    ),
  },
  {name: terms.calls, cell: row => number(row.calls), numeric: true},
  {name: terms.median, cell: row => calls.took(row.median), numeric: true},
  {name: words.within95, cell: row => calls.took(row.p95), numeric: true},
];

/** Which endpoint one waits for. */
function Timed({rows}: {rows: readonly RequestRow[]}) {
  if (rows.length === 0) return null;
  return (
    <section class="card">
      <h2>{words.durations}</h2>
      <p class="help">{words.durationsHelp(rows.length)}</p>
      <Table
        caption={words.durations}
        columns={durationColumns}
        rows={durationsOf(rows, endpointsTimed)}
      />
    </section>
  );
}

const lastCalls = 8;

function Waiting() {
  const {reference} = useReference();
  const baseUrl = reference?.baseUrl ?? location.origin;
  return <FirstSteps baseUrl={baseUrl} testKey={null} keysCopied={false} />;
}

function Recent({recent}: {recent: Loaded<RequestRow[]>}) {
  // Who waits for the first call sees its tick before it becomes a row.
  const [isFirst, setIsFirst] = useState(false);
  if (recent.value?.length === 0 && !isFirst) setIsFirst(true);
  if (isFirst) return <Waiting />;
  return (
    <section class="card">
      <div class="card-head">
        <h2>{words.latest}</h2>
        <Link href="/dashboard/requests">{actions.allRequests}</Link>
      </div>
      <LoadedView of={recent} what={words.latest}>
        {rows => (
          <Table
            caption={words.latest}
            lines
            columns={requestColumns(row => `/dashboard/requests?id=${encodeURIComponent(row.id)}`)}
            rows={rows.slice(0, lastCalls)}
          />
        )}
      </LoadedView>
    </section>
  );
}

function requests(asked: object): Promise<RequestRow[]> {
  return call<RequestRow[]>('account/requests/list', asked).then(answer => answer.body.data);
}

/** Of the last calls those of this week that succeeded. */
function succeeded(rows: readonly RequestRow[]): RequestRow[] {
  const weekAgo = Date.now() - 7 * 86_400_000;
  return rows.filter(row => row.code === null && Date.parse(row.created_at) >= weekAgo);
}

/** It asks for five things: a browser has six connections to a server, and the account's events
 * take one. */
export function OverviewPage() {
  const account = useLoaded(showAccount, []);
  const {pace, ask, read} = usePace();
  const recent = useLoaded(() => requests({limit: callsTimed}), []);
  const failed = useLoaded(
    () => requests({status: 'failed', since: '7d', limit: failuresLookedAt}),
    [],
  );
  const keys = useLoaded(() => callAll<ApiKey>('account/keys/list', {}), []);
  useNewCalls(() => {
    account.again();
    keys.again();
    recent.again();
    failed.again();
  });
  // It asks for itself, and is not drawn anew with each of the others.
  const failedOf = (since: string) => {
    ask();
    return failedSince(since);
  };
  const usage = useMemo(() => <Usage read={read} failed={failedOf} />, []);
  // At once, so that nothing moves away from under a finger that is on its way.
  const loads = [account, recent, failed, keys];
  const isThere = pace !== null && loads.every(one => one.value ?? one.problem);
  return (
    <Page title={terms.overview}>
      {!isThere && <Loading what={terms.overview} />}
      <div class="page-body" hidden={!isThere}>
        <LoadedView of={account} what={terms.account}>
          {known => (
            <>
              <Alerts account={known} keys={keys.value ?? []} />
              <Numbers account={known} pace={pace} />
            </>
          )}
        </LoadedView>
        {usage}
        <Failures failed={failed.value ?? []} />
        <Timed rows={succeeded(recent.value ?? [])} />
        {isThere && <Recent recent={recent} />}
      </div>
    </Page>
  );
}
