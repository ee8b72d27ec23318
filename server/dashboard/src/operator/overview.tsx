// The whole service at a glance, asked anew every few seconds while it is looked at.
import {useEffect} from 'preact/hooks';
import type {Checkup, ServiceState} from '../api/types';
import {useLoaded} from '../app/loading';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {number} from '../data/format';
import {labelOf} from '../data/form';
import {Empty, LoadedView} from '../parts/notice';
import {SourcesByPlatform} from '../parts/sources';
import {Facts, Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {command} from './command';
import {fragments, operator as words, terms} from '../words';

const askEveryMs = 10_000;

const bytes = (value: number) => words.mebibytes(Math.round(value / (1 << 20)));

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
        <dt>{words.callsOfHour}</dt>
        <dd>
          <strong>{number(hour.calls)}</strong>
          <p class="help">{words.rate((hour.calls / minutes).toFixed(1), last)}</p>
        </dd>
      </div>
      <div class="card">
        <dt>{terms.failed}</dt>
        <dd>
          <strong>{number(hour.failed)}</strong>
          <p class="help">
            {hour.codes.length === 0
              ? terms.none
              : hour.codes.map(one => `${one.code} ${number(one.calls)}`).join(', ')}
          </p>
        </dd>
      </div>
      <div class="card">
        <dt>{words.duration}</dt>
        <dd>
          <strong>{number(hour.p50_ms)}</strong> {fragments.milliseconds}
          <p class="help">{fragments.durationHelp(hour.p95_ms)}</p>
        </dd>
      </div>
    </dl>
  );
}

const accountColumns: Column<ServiceState['accounts'][number]>[] = [
  {
    name: terms.account,
    cell: row =>
      row.email === null ? (
        <code>{row.id}</code>
      ) : (
        <Link href={`/dashboard/operator/account?email=${encodeURIComponent(row.email)}`}>
          {row.email}
        </Link>
      ),
  },
  {name: terms.calls, cell: row => number(row.calls), numeric: true},
];

type Finding = Checkup['findings'][number];

const findingColumns: Column<Finding>[] = [
  {
    name: terms.state,
    cell: row => (
      <span class={`badge ${row.status === 'failed' ? 'off' : 'warn'}`}>{row.status}</span>
    ),
  },
  {
    name: terms.source,
    cell: row => (
      <>
        <strong>{row.source}</strong> {row.instance}
      </>
    ),
  },
  {name: terms.endpoint, cell: row => <code>{row.endpoint}</code>},
  {name: words.finding, cell: row => row.findings.join('; ')},
];

/** What `doctor.daily` has found; nothing where it is off. */
function DailyCheck({checkup}: {checkup: Checkup | null}) {
  if (checkup === null) return null;
  return (
    <section class="card">
      <h2>{words.checkup}</h2>
      {checkup.checked_at === null ? (
        <p class="help">{words.checkupAwaited}</p>
      ) : (
        <>
          <p>
            <Time at={checkup.checked_at} relative />:{' '}
            {words.checkupHelp(checkup.ok, checkup.changed, checkup.failed, checkup.not_asked)}
          </p>
          <Table
            caption={words.checkupCaption}
            columns={findingColumns}
            rows={checkup.findings}
            empty={<p class="help">{words.unchanged}</p>}
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
    <Page title={terms.service} lead={words.serviceLead}>
      <LoadedView of={loaded} what={terms.service}>
        {service => (
          <>
            <Hour hour={service.hour} />
            <section class="card">
              <h2>{terms.now}</h2>
              <Facts
                facts={Object.entries(service.now).map(([name, value]) => [
                  labelOf(name.replace(/_bytes$/, '')),
                  shown(name, value),
                ])}
              />
            </section>
            <DailyCheck checkup={service.checkup} />
            <section class="card">
              <h2>{words.busiest}</h2>
              <Table
                caption={words.busiestCaption}
                columns={accountColumns}
                rows={service.accounts}
                empty={<Empty title={words.idle} />}
              />
            </section>
            <p class="help">
              {words.version(
                service.sources.filter(one => one.state === 'ok').length,
                service.version,
              )}
            </p>
            <SourcesByPlatform rows={service.sources} />
          </>
        )}
      </LoadedView>
    </Page>
  );
}
