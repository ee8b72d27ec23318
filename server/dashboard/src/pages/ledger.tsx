// Every movement of credits: filtered by what the endpoint's own parameters offer, page by page,
// and all of it as CSV.
import {useEffect, useRef, useState} from 'preact/hooks';
import {call, callAll} from '../api/calls';
import {problemOf, type Problem} from '../api/http';
import type {LedgerEntry} from '../api/types';
import {useReference} from '../app/reference';
import {Page} from '../app/shell';
import {toCsv} from '../data/csv';
import {download} from '../data/download';
import {bodyOf, fieldOf, type Field, type Values} from '../data/form';
import {counted, number, signed} from '../data/format';
import {Submit} from '../parts/controls';
import {Form} from '../parts/form';
import {Empty, Loading, ProblemNotice} from '../parts/notice';
import {ParameterField} from '../parts/parameter';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';

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
  {name: 'When', cell: row => <Time at={row.created_at} />},
  {name: 'Kind', cell: row => <span class={`badge ${row.kind}`}>{row.kind}</span>},
  {
    name: 'What',
    cell: row => (
      <>
        {row.endpoint ?? row.reason ?? '–'}
        {row.request_id && <code class="below">{row.request_id}</code>}
      </>
    ),
  },
  {name: 'Credits', cell: row => signed(row.amount), numeric: true},
  {name: 'Balance', cell: row => number(row.balance), numeric: true},
];

interface Shown {
  rows: LedgerEntry[];
  next: string | null;
}

function useLedger() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const round = useRef(0);
  const load = async (filter: object, cursor: string | null) => {
    const mine = ++round.current;
    setBusy(true);
    try {
      const page = cursor === null ? {} : {cursor};
      const {body} = await call<LedgerEntry[]>(endpoint, {limit: 50, ...filter, ...page});
      if (mine !== round.current) return;
      setShown(before => ({
        rows: [...(cursor !== null && before ? before.rows : []), ...body.data],
        next: body.page?.next_cursor ?? null,
      }));
      setProblem(null);
    } catch (failure) {
      if (mine === round.current) setProblem(problemOf(failure));
    } finally {
      if (mine === round.current) setBusy(false);
    }
  };
  return {shown, problem, busy, load, setProblem};
}

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
      label="Filter"
      problem={null}
      fields={[]}
      onSubmit={() => onFilter(bodyOf(fields, values))}
    >
      {fields.map(field => (
        <ParameterField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onValue={value => setValues({...values, [field.name]: value})}
          error={problem?.errors?.find(one => one.pointer.startsWith(`/${field.name}`))?.detail}
        />
      ))}
      <div class="form-foot">
        <Submit busy={busy} kind="secondary">
          Filter
        </Submit>
        <button
          type="button"
          class="plain"
          onClick={() => {
            setValues({});
            onFilter({});
          }}
        >
          Show all
        </button>
      </div>
    </Form>
  );
}

function useExport(filter: object) {
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async () => {
    setProblem(null);
    setSaid('Reading the ledger…');
    try {
      const rows = await callAll<LedgerEntry>(endpoint, filter, n => setSaid(`${number(n)} rows…`));
      const cells = rows.map(row => csvColumns.map(column => row[column]));
      download('freshet-ledger.csv', 'text/csv', toCsv(csvColumns, cells));
      setSaid(`${counted(rows.length, 'row')} saved`);
    } catch (failure) {
      setSaid('');
      setProblem(problemOf(failure));
    }
  };
  return {said, problem, run};
}

export function LedgerPage() {
  const {reference} = useReference();
  const {shown, problem, busy, load} = useLedger();
  const [filter, setFilter] = useState<Record<string, unknown>>({});
  const saved = useExport(filter);
  useEffect(() => void load(filter, null), [filter]);
  const fields = (reference?.find(endpoint)?.parameters ?? [])
    .filter(one => !listParameters.has(one.name))
    .map(fieldOf);
  return (
    <Page
      title="Ledger"
      lead="Every movement of credits, newest first. Each row's hash covers the one before it."
      actions={
        <button type="button" class="secondary" onClick={() => void saved.run()}>
          Export as CSV
        </button>
      }
    >
      <p class="live" aria-live="polite">
        {saved.said}
      </p>
      <ProblemNotice problem={saved.problem} />
      {fields.length > 0 && (
        <Filter fields={fields} busy={busy} problem={problem} onFilter={setFilter} />
      )}
      <ProblemNotice
        problem={problem}
        shownAt={fields.map(field => `/${field.name}`)}
        again={() => void load(filter, null)}
      />
      <section class="card" aria-busy={busy}>
        {shown === null && busy && <Loading what="the ledger" />}
        {shown?.rows.length === 0 && <Empty title="No row matches" />}
        {shown && shown.rows.length > 0 && (
          <Table caption="The ledger" columns={columns} rows={shown.rows} rowKey={row => row.id} />
        )}
        {shown?.next && (
          <div class="more">
            <button
              type="button"
              class="secondary"
              onClick={() => void load(filter, shown.next)}
              aria-disabled={busy}
            >
              Show older rows
            </button>
          </div>
        )}
      </section>
    </Page>
  );
}
