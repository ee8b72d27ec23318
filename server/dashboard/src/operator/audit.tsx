// Who changed what: the audit log, newest first.
import {useEffect, useState} from 'preact/hooks';
import {problemOf, type Problem} from '../api/http';
import type {AuditEntry} from '../api/types';
import {Page} from '../app/shell';
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
  const [rows, setRows] = useState<AuditEntry[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const load = async (cursor: string | null) => {
    try {
      const page = await command<{entries: AuditEntry[]; next_cursor: string | null}>(
        'audit.list',
        {limit: 50, ...(cursor ? {cursor} : {})},
      );
      setRows(before => [...(cursor && before ? before : []), ...page.entries]);
      setNext(page.next_cursor);
      setProblem(null);
    } catch (failure) {
      setProblem(problemOf(failure));
    }
  };
  useEffect(() => void load(null), []);
  return (
    <Page
      title="Audit log"
      lead="Every change by an operator, and every change of who may sign in."
    >
      <ProblemNotice problem={problem} again={() => void load(null)} />
      <section class="card">
        {rows === null && problem === null && <Loading what="the log" />}
        {rows?.length === 0 && <Empty title="Nothing has been changed yet" />}
        {rows && rows.length > 0 && (
          <Table caption="Audit log" columns={columns} rows={rows} rowKey={row => row.id} />
        )}
        {next && (
          <div class="more">
            <button type="button" class="secondary" onClick={() => void load(next)}>
              Show older entries
            </button>
          </div>
        )}
      </section>
    </Page>
  );
}
