// The plans, as the configuration has them.
import {get} from '../api/http';
import type {Plan} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {number} from '../data/format';
import {LoadedView} from '../parts/notice';
import {Table, type Column} from '../parts/table';

const columns: Column<Plan>[] = [
  {name: 'Plan', cell: row => <strong>{row.name}</strong>},
  {name: 'Credits a month', cell: row => number(row.monthly_credits), numeric: true},
  {name: 'Requests a second', cell: row => row.rate, numeric: true},
  {name: 'At once', cell: row => number(row.burst), numeric: true},
];

export function PlansPage() {
  const plans = useLoaded(
    async () => (await get<{plans: Plan[]}>('/dashboard/api/plans')).plans,
    [],
  );
  return (
    <Page
      title="Plans"
      lead={
        <>
          Defined in the configuration under <code>plans.&lt;name&gt;</code>; a change takes effect
          when the server starts again.
        </>
      }
    >
      <LoadedView of={plans} what="the plans" card>
        {rows => <Table caption="Plans" columns={columns} rows={rows} />}
      </LoadedView>
    </Page>
  );
}
