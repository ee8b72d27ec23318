// Every movement of credits: filtered by what the endpoint's own parameters offer, page by page,
// and all of it as CSV.
import {useEffect, useState} from 'preact/hooks';
import {call, pagesOf} from '../api/calls';
import type {Problem} from '../api/http';
import type {LedgerEntry} from '../api/types';
import {useCsvExport} from '../app/csv_export';
import {usePages} from '../app/loading';
import {useReference} from '../app/reference';
import {Link, useRouter} from '../app/router';
import {Page} from '../app/shell';
import {bodyOf, fieldOf, type Field, type Values} from '../data/form';
import {number, signed} from '../data/format';
import {Button, More, Submit} from '../parts/controls';
import {Form} from '../parts/form';
import {Empty, Loading, ProblemNotice} from '../parts/notice';
import {ParameterField} from '../parts/parameter';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {Verification} from './verification';
import {actions, fragments, ledger as words, shell, terms} from '../words';

const endpoint = 'account/ledger';
/** What every list takes; the rest are the filters. */
const listParameters = new Set([
  'limit',
  'cursor',
  'fields',
  'max_tokens',
  'max_credits',
  'dry_run',
]);

const csvColumns = [
  'id',
  'created_at',
  'kind',
  'amount',
  'balance',
  'reason',
  'endpoint',
  'request_id',
  'key_id',
  'refund_of',
  'hash',
] as const;

const columns: Column<LedgerEntry>[] = [
  {name: terms.kind, cell: row => <span class={`badge ${row.kind}`}>{row.kind}</span>},
  {
    name: terms.what,
    cell: row => (
      <>
        {row.endpoint ?? row.reason ?? '–'}
        {row.request_id && (
          <Link class="below" href={`/dashboard/requests?id=${encodeURIComponent(row.request_id)}`}>
            <code>{row.request_id}</code>
          </Link>
        )}
      </>
    ),
  },
  {name: terms.when, cell: row => <Time at={row.created_at} />},
  {
    name: terms.credits,
    cell: row => signed(row.amount),
    numeric: true,
    unit: row => fragments.credits(row.amount),
  },
  {
    name: terms.balance,
    cell: row => number(row.balance),
    numeric: true,
    unit: () => fragments.left,
  },
];

interface FilterProps {
  fields: Field[];
  busy: boolean;
  problem: Problem | null;
  onFilter(body: Record<string, unknown>): void;
}

function Filter({fields, busy, problem, onFilter}: FilterProps) {
  const [values, setValues] = useState<Values>({});
  return (
    <Form
      class="filter"
      label={actions.filter}
      problem={null}
      fields={[]}
      onSubmit={() => onFilter(bodyOf(fields, values))}
    >
      {fields.map(field => (
        <ParameterField
          key={field.name}
          field={field}
          none={terms.all}
          value={values[field.name] ?? ''}
          onValue={value => setValues({...values, [field.name]: value})}
          error={problem?.errors?.find(one => one.pointer.startsWith(`/${field.name}`))?.detail}
        />
      ))}
      <div class="form-foot">
        <Submit busy={busy} kind="secondary">
          {actions.filter}
        </Submit>
        <Button
          kind="plain"
          onClick={() => {
            setValues({});
            onFilter({});
          }}
        >
          {actions.showAll}
        </Button>
      </div>
    </Form>
  );
}

export function LedgerPage() {
  const {query} = useRouter();
  const {reference, problem: unread} = useReference();
  const [filter, setFilter] = useState<Record<string, unknown>>({});
  const {shown, problem, busy, load} = usePages(async cursor => {
    const page = cursor === null ? {} : {cursor};
    const {body} = await call<LedgerEntry[]>(endpoint, {limit: 50, ...filter, ...page});
    return {rows: body.data, next: body.page?.next_cursor ?? null};
  });
  const saved = useCsvExport(terms.ledger, csvColumns, () =>
    pagesOf<LedgerEntry>(endpoint, filter),
  );
  useEffect(() => void load(null), [filter]);
  const fields = (reference?.find(endpoint)?.parameters ?? [])
    .filter(one => !listParameters.has(one.name))
    .map(fieldOf);
  // At once, so that nothing moves away from under a finger that is on its way.
  const isThere = (reference ?? unread) !== null && (shown ?? problem) !== null;
  return (
    <Page
      title={terms.ledger}
      lead={words.lead}
      actions={
        <Button aria-disabled={saved.busy} onClick={() => void saved.run()}>
          {actions.exportCsv}
        </Button>
      }
    >
      <p class="live" aria-live="polite">
        {saved.said}
      </p>
      <ProblemNotice problem={saved.problem} />
      {!isThere && <Loading what={terms.ledger} />}
      <div class="page-body" hidden={!isThere}>
        {fields.length > 0 && (
          <Filter fields={fields} busy={busy} problem={problem} onFilter={setFilter} />
        )}
        <ProblemNotice
          problem={problem}
          shownAt={fields.map(field => `/${field.name}`)}
          again={() => void load(null)}
        />
        <section class="card" aria-busy={busy} hidden={shown === null}>
          {isThere && shown && (
            <Table
              caption={words.caption}
              lines
              columns={columns}
              rows={shown.rows}
              marked={query.get('entry')}
              empty={<Empty title={shell.noEntry} />}
            />
          )}
          {shown?.next && (
            <More
              verb={actions.showOlderEntries}
              onClick={() => void load(shown.next)}
              aria-disabled={busy}
            />
          )}
        </section>
        <Verification />
      </div>
    </Page>
  );
}
