// Whether the service answers, for everybody: each platform with how many of its sources do.
import {get} from '../api/http';
import type {PublicStatus} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {number} from '../data/format';
import {platformName} from '../data/platforms';
import {Button} from '../parts/controls';
import {LoadedView, Notice} from '../parts/notice';
import {Table, type Column} from '../parts/table';

type Row = PublicStatus['platforms'][number];

const states: Record<Row['state'], [string, string]> = {
  ok: ['ok', 'answers'],
  partial: ['warn', 'answers in part'],
  down: ['off', 'does not answer'],
};

const columns: Column<Row>[] = [
  {
    name: 'State',
    cell: row => <span class={`badge ${states[row.state][0]}`}>{states[row.state][1]}</span>,
  },
  {name: 'Platform', cell: row => <strong>{platformName(row.name)}</strong>},
  {
    name: 'Sources',
    cell: row => `${number(row.answering)} of ${number(row.sources)}`,
    numeric: true,
  },
];

function summary(status: PublicStatus): [string, 'good' | 'warn' | 'bad'] {
  if (!status.takes_calls) return ['Calls are not taken just now', 'bad'];
  const bad = status.platforms.filter(one => one.state !== 'ok').length;
  return bad === 0 ? ['Everything answers', 'good'] : ['Some sources do not answer', 'warn'];
}

export function StatusPage() {
  const loaded = useLoaded(() => get<PublicStatus>('/dashboard/api/status'), []);
  return (
    <Page title="Status" actions={<Button onClick={loaded.again}>Refresh</Button>}>
      <LoadedView of={loaded} what="the status">
        {status => {
          const [title, kind] = summary(status);
          return (
            <>
              <Notice kind={kind} title={title}>
                {status.p50_ms !== null && (
                  <p>Half of the last hour’s calls took at most {number(status.p50_ms)} ms.</p>
                )}
              </Notice>
              <section class="card">
                <Table caption="Platforms" columns={columns} rows={status.platforms} lines />
              </section>
            </>
          );
        }}
      </LoadedView>
    </Page>
  );
}
