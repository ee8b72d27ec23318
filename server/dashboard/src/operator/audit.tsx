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
import {Dotted, Long, Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {command} from './command';
import {actions, audit as words, fragments, shell, terms} from '../words';

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
  {name: terms.when, cell: row => <Time at={row.at} />},
  {
    name: terms.who,
    cell: row => (
      <>
        <Long text={row.actor} />
        {row.address && <span class="below">{fragments.from(row.address)}</span>}
      </>
    ),
  },
  {name: terms.what, cell: row => <Dotted name={row.action} />},
  {
    name: terms.subject,
    cell: row => <Long text={row.subject || '–'} />,
    isVoid: row => row.subject === '',
  },
  {
    name: terms.detail,
    cell: row => <Long text={detailOf(row)} />,
    isVoid: row => row.detail === '',
  },
];

const csvColumns = ['id', 'at', 'actor', 'action', 'subject', 'detail', 'address'] as const;
const exportStep = 500;
const shownAtOnce = 50;
const typingPause_ms = 250;

interface AuditPageOf {
  entries: AuditEntry[];
  next_cursor: string | null;
}

/** What matches of the whole log, a page at a time. */
async function* matchingPages(filter: string): AsyncGenerator<AuditEntry[]> {
  let cursor: string | null = null;
  do {
    const page: AuditPageOf = await inTime(() => pageOf(filter, exportStep, cursor));
    yield page.entries;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

function pageOf(filter: string, limit: number, cursor: string | null): Promise<AuditPageOf> {
  const more = {...(filter === '' ? {} : {q: filter}), ...(cursor === null ? {} : {cursor})};
  return command<AuditPageOf>('audit.list', {limit, ...more});
}

export function AuditPage() {
  const [filter, setFilter] = useState('');
  const {shown, problem, load} = usePages(async cursor => {
    const page = await pageOf(filter, shownAtOnce, cursor);
    return {rows: page.entries, next: page.next_cursor};
  });
  // A question for each word, not for each letter of it.
  useEffect(() => {
    const wait = setTimeout(() => void load(null), filter === '' ? 0 : typingPause_ms);
    return () => clearTimeout(wait);
  }, [filter]);
  const saved = useCsvExport(terms.auditLog, csvColumns, () => matchingPages(filter));
  return (
    <Page
      title={terms.auditLog}
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
      <TextField
        label={actions.filter}
        type="search"
        placeholder={words.filterExample}
        value={filter}
        onValue={setFilter}
      />
      <ProblemNotice problem={problem ?? saved.problem} again={() => void load(null)} />
      <section class="card">
        {shown === null && problem === null && <Loading what={terms.auditLog} />}
        {shown && (
          <Table
            caption={terms.auditLog}
            columns={auditColumns}
            rows={shown.rows}
            empty={
              <Empty
                title={
                  filter === '' ? words.empty : shown.next ? words.unmatchedSoFar : shell.noEntry
                }
              />
            }
          />
        )}
        {shown?.next && (
          <More verb={actions.showOlderEntries} onClick={() => void load(shown.next)} />
        )}
      </section>
    </Page>
  );
}
