// The account at a glance: what is left, what was used, and the last movements.
import {useState} from 'preact/hooks';
import {call, callAll} from '../api/calls';
import type {Account, RequestRow, UsageRow} from '../api/types';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {useLoaded} from '../app/loading';
import {counted, credits, daysLeft, number, timeZone} from '../data/format';
import {chartOf} from '../data/usage';
import {Chart} from '../parts/chart';
import {Empty, LoadedView} from '../parts/notice';
import {requestColumns} from '../parts/requests';
import {Table} from '../parts/table';
import {Time} from '../parts/time';

function Numbers({account}: {account: Account}) {
  const left = daysLeft(account.period.end);
  const available = account.balance - account.reserved;
  const share = account.period.grant > 0 ? Math.min(1, available / account.period.grant) : 0;
  return (
    <dl class="numbers">
      <div class="card">
        <dt>Balance</dt>
        <dd>
          <strong>{number(available)}</strong> {available === 1 ? 'credit' : 'credits'}
          <meter
            value={share}
            min={0}
            max={1}
            aria-label={`${number(available)} of ${number(account.period.grant)} a month`}
          />
          {account.reserved > 0 && (
            <p class="help">and {credits(account.reserved)} held for calls that run</p>
          )}
        </dd>
      </div>
      <div class="card">
        <dt>Plan</dt>
        <dd>
          <strong class="word">{account.plan}</strong>
          <p class="help">
            {credits(account.period.grant)} a month, {account.limits.rate} requests a second,{' '}
            {account.limits.burst} at once
          </p>
        </dd>
      </div>
      <div class="card">
        <dt>Period</dt>
        <dd>
          <strong>{number(left)}</strong> {left === 1 ? 'day left' : 'days left'}
          <p class="help">
            The next grant comes on <Time at={account.period.end} />. What is left of this one does
            not roll over.
          </p>
        </dd>
      </div>
    </dl>
  );
}

const spans = ['7d', '30d', '90d'] as const;

function Usage() {
  const [since, setSince] = useState<(typeof spans)[number]>('30d');
  const usage = useLoaded(async () => {
    const rows = await callAll<UsageRow>('account/usage', {
      since,
      group_by: 'day,endpoint',
      time_zone: timeZone,
      empty_days: true,
    });
    return chartOf(rows);
  }, [since]);
  return (
    <section class="card">
      <div class="card-head">
        <h2>Usage</h2>
        <div class="segments" role="group" aria-label="How far back">
          {spans.map(span => (
            <button
              key={span}
              type="button"
              aria-pressed={span === since}
              onClick={() => setSince(span)}
            >
              {span.slice(0, -1)} days
            </button>
          ))}
        </div>
      </div>
      <LoadedView of={usage} what="usage">
        {chart =>
          chart.calls === 0 ? (
            <Empty title="No charged call in this time">
              <p>
                Only successes with a live key are charged. All calls stand in{' '}
                <Link href="/dashboard/requests">Requests</Link>; try one in the{' '}
                <Link href="/dashboard/playground">playground</Link>.
              </p>
            </Empty>
          ) : (
            <>
              <p class="help" aria-live="polite">
                {credits(chart.total)} for {counted(chart.calls, 'call')}. Days of {timeZone}.
              </p>
              <Chart chart={chart} />
            </>
          )
        }
      </LoadedView>
    </section>
  );
}

const lastCalls = 8;

function Recent() {
  const recent = useLoaded(
    async () =>
      (await call<RequestRow[]>('account/requests/list', {limit: lastCalls})).body.data,
    [],
  );
  return (
    <section class="card">
      <div class="card-head">
        <h2>Latest calls</h2>
        <Link href="/dashboard/requests">All requests</Link>
      </div>
      <LoadedView of={recent} what="the last calls">
        {rows => (
          <Table
            caption="The last calls"
            lines
            columns={requestColumns(
              row => `/dashboard/requests?id=${encodeURIComponent(row.id)}`,
            )}
            rows={rows}
            empty={<Empty title="No calls yet" />}
          />
        )}
      </LoadedView>
    </section>
  );
}

export function OverviewPage() {
  const account = useLoaded(async () => (await call<Account>('account/show')).body.data, []);
  return (
    <Page title="Overview">
      <LoadedView of={account} what="the account">
        {known => <Numbers account={known} />}
      </LoadedView>
      <Usage />
      <Recent />
    </Page>
  );
}
