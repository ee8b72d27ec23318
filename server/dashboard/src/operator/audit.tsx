// Who changed what: the audit log, newest first, by words and as CSV.
import {useEffect, useState} from 'preact/hooks';
import {inTime} from '../api/http';
import type {AuditEntry} from '../api/types';
import {useCsvExport} from '../app/csv_export';
import {usePages} from '../app/loading';
import {Page} from '../app/shell';
import {Button, More} from '../parts/controls';
import {TextField} from '../parts/field';
import {Empty, Loading, ProblemNotice} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {command} from './command';

/** {"credits":250,"reason":"pilot"} as "credits 250, reason pilot". */
function detailOf(row: AuditEntry): string {
  try {
    const read: unknown = JSON.parse(row.detail);
    if (typeof read === 'object' && read !== null) {
      return Object.entries(read)
        .map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`)
        .join(', ');
    }
  } catch {
    // It is a plain text.
  }
  return row.detail || '–';
}

export const auditColumns: Column<AuditEntry>[] = [
  {name: 'When', cell: row => <Time at={row.at} />},
  {
    name: 'Who',
    cell: row => (
      <>
        <span class="long">{row.actor}</span>
        {row.address && <span class="below">from {row.address}</span>}
      </>
    ),
  },
  {name: 'What', cell: row => <code>{row.action}</code>},
  {name: 'On', cell: row => <span class="long">{row.subject || '–'}</span>},
  {name: 'Detail', cell: detailOf},
];

const csvColumns = ['id', 'at', 'actor', 'action', 'subject', 'detail', 'address'] as const;
const exportStep = 500;

interface AuditPageOf {
  entries: AuditEntry[];
  next_cursor: string | null;
}

/** Every word occurs somewhere in the entry. */
export function matchesAudit(row: AuditEntry, filter: string): boolean {
  const text = csvColumns.map(name => row[name] ?? '').join(' ').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

/** What matches of the whole log, a page at a time. */
async function* matchingPages(filter: string): AsyncGenerator<AuditEntry[]> {
  let cursor: string | null = null;
  do {
    const asked: object = {limit: exportStep, ...(cursor === null ? {} : {cursor})};
    const page: AuditPageOf = await inTime(() => command<AuditPageOf>('audit.list', asked));
    yield page.entries.filter(row => matchesAudit(row, filter));
    cursor = page.next_cursor;
  } while (cursor !== null);
}

export function AuditPage() {
  const [filter, setFilter] = useState('');
  const {shown, problem, load} = usePages(async cursor => {
    const asked = {limit: filter ? exportStep : 50, ...(cursor ? {cursor} : {})};
    const page = await command<AuditPageOf>('audit.list', asked);
    return {rows: page.entries, next: page.next_cursor};
  });
  useEffect(() => void load(null), [filter === '']);
  const saved = useCsvExport('audit log', csvColumns, () => matchingPages(filter));
  return (
    <Page
      title="Audit log"
      lead="Every change by an operator, and every change of who may sign in."
      actions={
        <Button aria-disabled={saved.busy} onClick={() => void saved.run()}>
          Export as CSV
        </Button>
      }
    >
      <p class="live" aria-live="polite">
        {saved.said}
      </p>
      <TextField
        label="Filter"
        type="search"
        placeholder="who, what or on whom"
        value={filter}
        onValue={setFilter}
      />
      <ProblemNotice problem={problem ?? saved.problem} again={() => void load(null)} />
      <section class="card">
        {shown === null && problem === null && <Loading what="the log" />}
        {shown && (
          <Table
            caption="Audit log"
            columns={auditColumns}
            rows={shown.rows.filter(row => matchesAudit(row, filter))}
            empty={
              <Empty title={filter ? 'No entry matches so far' : 'Nothing has been changed yet'} />
            }
          />
        )}
        {shown?.next && <More verb="Show older entries" onClick={() => void load(shown.next)} />}
      </section>
    </Page>
  );
}
