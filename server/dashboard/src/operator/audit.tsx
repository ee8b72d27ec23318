// Who changed what: the audit log, newest first.
import {useEffect} from 'preact/hooks';
import type {AuditEntry} from '../api/types';
import {usePages} from '../app/loading';
import {Page} from '../app/shell';
import {More} from '../parts/controls';
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

const columns: Column<AuditEntry>[] = [
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

export function AuditPage() {
  const {shown, problem, load} = usePages(async cursor => {
    const page = await command<{entries: AuditEntry[]; next_cursor: string | null}>(
      'audit.list',
      {limit: 50, ...(cursor ? {cursor} : {})},
    );
    return {rows: page.entries, next: page.next_cursor};
  });
  useEffect(() => void load(null), []);
  return (
    <Page
      title="Audit log"
      lead="Every change by an operator, and every change of who may sign in."
    >
      <ProblemNotice problem={problem} again={() => void load(null)} />
      <section class="card">
        {shown === null && problem === null && <Loading what="the log" />}
        {shown && (
          <Table
            caption="Audit log"
            columns={columns}
            rows={shown.rows}
            empty={<Empty title="Nothing has been changed yet" />}
          />
        )}
        {shown?.next && <More verb="Show older entries" onClick={() => void load(shown.next)} />}
      </section>
    </Page>
  );
}
