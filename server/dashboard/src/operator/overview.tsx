// The whole service at a glance, asked anew every few seconds while it is looked at.
import {useEffect} from 'preact/hooks';
import type {Checkup, ServiceState} from '../api/types';
import {useLoaded} from '../app/loading';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {number} from '../data/format';
import {Message} from '../parts/message';
import {Empty, LoadedView} from '../parts/notice';
import {SourcesByPlatform} from '../parts/sources';
import {Facts, Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {command} from './command';
import {fragments, operator as words, terms} from '../words';

const askEveryMs = 10_000;

const mebibytes = (value: number) => Math.round(value / (1 << 20));

/** What is under way, what each number means, and what to do where it is too large. */
function Now({now}: {now: ServiceState['now']}) {
  const measures: [string, string, string][] = [
    [words.running, words.runningOf(now.calls_running, now.accounts_calling), words.runningHelp],
    [words.shortWork, number(now.short_work_waiting), words.shortWorkHelp],
    [words.longWork, number(now.long_work_waiting), words.longWorkHelp],
    [words.charges, number(now.ledger_queue), words.chargesHelp],
  ];
  if (now.requests_pending !== undefined && now.exchanges_running !== undefined) {
    const asked = words.askedOf(now.exchanges_running, now.requests_pending);
    measures.push([words.asked, asked, words.askedHelp]);
  }
  const [used, bound] = [now.memory_used_bytes, now.memory_bound_bytes].map(mebibytes);
  measures.push([words.memory, words.memoryOf(used ?? 0, bound ?? 0), words.memoryHelp]);
  return (
    <section class="card">
      <h2>{terms.now}</h2>
      <Facts
        facts={measures.map(([name, value, help]) => [
          name,
          <>
            {value}
            <p class="help">
              <Message text={help} />
            </p>
          </>,
        ])}
      />
    </section>
  );
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
            <Now now={service.now} />
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
