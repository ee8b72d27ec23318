// The whole service at a glance, asked anew every few seconds while it is looked at.
import {useEffect} from 'preact/hooks';
import type {Checkup, ServiceState} from '../api/types';
import {useLoaded} from '../app/loading';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {counted, number} from '../data/format';
import {labelOf} from '../data/form';
import {Empty, LoadedView} from '../parts/notice';
import {SourcesByPlatform} from '../parts/sources';
import {Facts, Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {command} from './command';

const askEveryMs = 10_000;

const bytes = (value: number) => `${number(Math.round(value / (1 << 20)))} MiB`;

/** What stands under a name in `now`. */
function shown(name: string, value: number): string {
  return name.endsWith('_bytes') ? bytes(value) : number(value);
}

function Hour({hour}: {hour: ServiceState['hour']}) {
  const minutes = (hour.steps.length * hour.step_s) / 60;
  const last = hour.steps.at(-1)?.calls ?? 0;
  return (
    <dl class="numbers">
      <div class="card">
        <dt>Calls of the last hour</dt>
        <dd>
          <strong>{number(hour.calls)}</strong>
          <p class="help">
            {(hour.calls / minutes).toFixed(1)} a minute, {number(last)} in these five minutes
          </p>
        </dd>
      </div>
      <div class="card">
        <dt>Failed</dt>
        <dd>
          <strong>{number(hour.failed)}</strong>
          <p class="help">
            {hour.codes.length === 0
              ? 'None'
              : hour.codes.map(one => `${one.code} ${number(one.calls)}`).join(', ')}
          </p>
        </dd>
      </div>
      <div class="card">
        <dt>Time of a call</dt>
        <dd>
          <strong>{number(hour.p50_ms)}</strong> ms
          <p class="help">at most, for half of them; {number(hour.p95_ms)} ms for 95 of 100</p>
        </dd>
      </div>
    </dl>
  );
}

const accountColumns: Column<ServiceState['accounts'][number]>[] = [
  {
    name: 'Account',
    cell: row =>
      row.email === null ? (
        <code>{row.id}</code>
      ) : (
        <Link href={`/dashboard/operator/account?email=${encodeURIComponent(row.email)}`}>
          {row.email}
        </Link>
      ),
  },
  {name: 'Calls', cell: row => number(row.calls), numeric: true},
];

type Finding = Checkup['findings'][number];

const findingColumns: Column<Finding>[] = [
  {
    name: 'State',
    cell: row => (
      <span class={`badge ${row.status === 'failed' ? 'off' : 'warn'}`}>{row.status}</span>
    ),
  },
  {
    name: 'Source',
    cell: row => (
      <>
        <strong>{row.source}</strong> {row.instance}
      </>
    ),
  },
  {name: 'Endpoint', cell: row => <code>{row.endpoint}</code>},
  {name: 'What was found', cell: row => row.findings.join('; ')},
];

/** What `doctor.daily` has found; nothing where it is off. */
function DailyCheck({checkup}: {checkup: Checkup | null}) {
  if (checkup === null) return null;
  return (
    <section class="card">
      <h2>Do the sources answer as they did?</h2>
      {checkup.checked_at === null ? (
        <p class="help">The first check comes 5 to 65 minutes after a start.</p>
      ) : (
        <>
          <p>
            <Time at={checkup.checked_at} relative />: {counted(checkup.ok, 'endpoint')} as before,
            {` ${number(checkup.changed)} changed, ${number(checkup.failed)} failed, `}
            {number(checkup.not_asked)} not asked.
          </p>
          <Table
            caption="Endpoints of sources that have changed or failed"
            columns={findingColumns}
            rows={checkup.findings}
            empty={<p class="help">Nothing has changed.</p>}
          />
        </>
      )}
    </section>
  );
}

export function ServicePage() {
  const loaded = useLoaded(() => command<ServiceState>('service.show'), []);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && loaded.again(), askEveryMs);
    return () => clearInterval(timer);
  }, [loaded.again]);
  return (
    <Page title="Service" lead="What the server does now, and what the last hour was like.">
      <LoadedView of={loaded} what="the service">
        {service => (
          <>
            <Hour hour={service.hour} />
            <section class="card">
              <h2>Now</h2>
              <Facts
                facts={Object.entries(service.now).map(([name, value]) => [
                  labelOf(name.replace(/_bytes$/, '')),
                  shown(name, value),
                ])}
              />
            </section>
            <DailyCheck checkup={service.checkup} />
            <section class="card">
              <h2>Accounts with the most calls</h2>
              <Table
                caption="Accounts with the most calls in the last hour"
                columns={accountColumns}
                rows={service.accounts}
                empty={<Empty title="Nobody has called in the last hour" />}
              />
            </section>
            <p class="help">
              {counted(service.sources.filter(one => one.state === 'ok').length, 'source')} are
              asked. Version {service.version}.
            </p>
            <SourcesByPlatform rows={service.sources} />
          </>
        )}
      </LoadedView>
    </Page>
  );
}
