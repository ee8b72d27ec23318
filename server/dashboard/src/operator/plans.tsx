// The plans, as the configuration has them.
import {get} from '../api/http';
import type {Plan} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {number} from '../data/format';
import {LoadedView} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {Message} from '../parts/message';
import {operator as words, terms} from '../words';

const columns: Column<Plan>[] = [
  {name: terms.plan, cell: row => <strong>{row.name}</strong>},
  {name: words.monthlyCredits, cell: row => number(row.monthly_credits), numeric: true},
  {name: words.rateLimit, cell: row => row.rate, numeric: true},
  {name: words.burst, cell: row => number(row.burst), numeric: true},
];

export function PlansPage() {
  const plans = useLoaded(
    async () => (await get<{plans: Plan[]}>('/dashboard/api/plans')).plans,
    [],
  );
  return (
    <Page title={terms.plans} lead={<Message text={words.plansLead} />}>
      <LoadedView of={plans} what={terms.plans} card>
        {rows => <Table caption={terms.plans} columns={columns} rows={rows} />}
      </LoadedView>
    </Page>
  );
}
