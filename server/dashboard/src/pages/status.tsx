// Whether the service answers, for everybody: each platform with how many of its sources do.
import {get} from '../api/http';
import type {PublicStatus} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {platformName} from '../data/platforms';
import {Button} from '../parts/controls';
import {LoadedView, Notice} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {actions, counted, status as words, terms} from '../words';

type Row = PublicStatus['platforms'][number];

const states: Record<Row['state'], [string, string]> = {
  ok: ['ok', words.ok],
  partial: ['warn', words.partial],
  down: ['off', words.down],
};

const columns: Column<Row>[] = [
  {
    name: terms.state,
    cell: row => <span class={`badge ${states[row.state][0]}`}>{states[row.state][1]}</span>,
  },
  {name: terms.platform, cell: row => <strong>{platformName(row.name)}</strong>},
  {
    name: terms.sources,
    cell: row => counted.of(row.answering, row.sources),
    numeric: true,
  },
];

function summary(status: PublicStatus): [string, 'good' | 'warn' | 'bad'] {
  if (!status.takes_calls) return [words.closed, 'bad'];
  const bad = status.platforms.filter(one => one.state !== 'ok').length;
  return bad === 0 ? [words.allAnswer, 'good'] : [words.someDown, 'warn'];
}

export function StatusPage() {
  const loaded = useLoaded(() => get<PublicStatus>('/dashboard/api/status'), []);
  return (
    <Page title={terms.status} actions={<Button onClick={loaded.again}>{actions.refresh}</Button>}>
      <LoadedView of={loaded} what={terms.status}>
        {status => {
          const [title, kind] = summary(status);
          return (
            <>
              <Notice kind={kind} title={title}>
                {status.p50_ms !== null && <p>{words.median(status.p50_ms)}</p>}
              </Notice>
              <section class="card">
                <Table caption={terms.platforms} columns={columns} rows={status.platforms} lines />
              </section>
            </>
          );
        }}
      </LoadedView>
    </Page>
  );
}
