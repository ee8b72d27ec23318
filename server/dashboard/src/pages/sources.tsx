// The health of the sources: which are asked, which are left alone and for how long.
import {get} from '../api/http';
import type {SourceState} from '../api/types';
import {useLoaded} from '../app/loading';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {counted} from '../data/format';
import {Button} from '../parts/controls';
import {Empty, LoadedView} from '../parts/notice';
import {Table, type Column} from '../parts/table';

const meanings: Record<SourceState['state'], [string, string]> = {
  ok: ['ok', 'asked'],
  suspended: ['warn', 'left alone'],
  not_configured: ['quiet', 'not configured'],
  disabled: ['quiet', 'switched off'],
};

function why(row: SourceState) {
  if (row.code !== null) {
    return (
      <>
        <Link href={`/docs/errors/${row.code}`}>{row.code}</Link>
        {row.retry_after_s !== null && `, asked again in ${counted(row.retry_after_s, 'second')}`}
      </>
    );
  }
  return row.state === 'not_configured' ? 'needs a setting of the operator' : '–';
}

const columns: Column<SourceState>[] = [
  {name: 'Source', cell: row => <strong>{row.name}</strong>},
  {name: 'Platforms', cell: row => row.platforms.join(', ')},
  {
    name: 'State',
    cell: row => {
      const [kind, text] = meanings[row.state] ?? ['quiet', row.state];
      return <span class={`badge ${kind}`}>{text}</span>;
    },
  },
  {name: 'Why', cell: why},
];

const order: SourceState['state'][] = ['suspended', 'ok', 'not_configured', 'disabled'];

export function SourcesPage() {
  const loaded = useLoaded(
    async () => (await get<{sources: SourceState[]}>('/dashboard/api/sources')).sources,
    [],
  );
  const sorted = (rows: SourceState[]) =>
    [...rows].sort(
      (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name),
    );
  return (
    <Page
      title="Sources"
      lead="A source that refuses is left alone for a while; calls are answered by the others."
      actions={<Button onClick={loaded.again}>Look again</Button>}
    >
      <LoadedView of={loaded} what="the sources" card>
        {rows =>
          rows.length === 0 ? (
            <Empty title="This server has no sources" />
          ) : (
            <>
              <p class="help" aria-live="polite">
                {rows.filter(row => row.state === 'ok').length} of{' '}
                {counted(rows.length, 'source')} are asked.
              </p>
              <Table caption="Sources and their state" columns={columns} rows={sorted(rows)} />
            </>
          )
        }
      </LoadedView>
    </Page>
  );
}
