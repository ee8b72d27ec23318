// The sources by what they serve: which answer, how fast, and what went wrong last. Those that
// nobody has configured are folded.
import type {SourceState} from '../api/types';
import {Link} from '../app/router';
import {number} from '../data/format';
import {platformName} from '../data/platforms';
import {Table, type Column} from './table';
import {Time} from './time';
import {fragments, requests, sources as words, terms} from '../words';

const meanings: Record<SourceState['state'], [string, string]> = {
  ok: ['ok', words.ok],
  suspended: ['warn', words.suspended],
  not_configured: ['quiet', words.notConfigured],
  disabled: ['quiet', words.disabled],
};

function LastError({row}: {row: SourceState}) {
  if (row.code !== null) {
    return (
      <>
        <Link href={`/docs/errors/${row.code}`}>{row.code}</Link>
        {row.retry_after_s !== null && fragments.askedAgain(row.retry_after_s)}
      </>
    );
  }
  if (row.last_error === null) return <>–</>;
  return (
    <>
      <Link href={`/docs/errors/${row.last_error}`}>{row.last_error}</Link>
      {row.last_error_at && (
        <>
          {', '}
          <Time at={row.last_error_at} relative />
        </>
      )}
    </>
  );
}

const columns: Column<SourceState>[] = [
  {
    name: terms.state,
    cell: row => {
      const [kind, text] = meanings[row.state] ?? ['quiet', row.state];
      return <span class={`badge ${kind}`}>{text}</span>;
    },
  },
  {name: terms.source, cell: row => <strong>{row.name}</strong>},
  {
    name: terms.answered,
    cell: row =>
      row.asked === 0
        ? '–'
        : words.percent(Math.round((100 * (row.asked - row.failed)) / row.asked)),
    numeric: true,
    unit: row => (row.asked === 0 ? null : terms.answered.toLowerCase()),
  },
  {
    name: terms.asked,
    cell: row => number(row.asked),
    numeric: true,
    isVoid: row => row.asked === 0,
  },
  {
    name: terms.median,
    cell: row => (row.p50_ms === null ? '–' : requests.took(row.p50_ms)),
    numeric: true,
    unit: row => (row.p50_ms === null ? null : terms.median.toLowerCase()),
  },
  {
    name: terms.lastError,
    cell: row => <LastError row={row} />,
    isVoid: row => row.code === null && row.last_error === null,
  },
];

const isInUse = (row: SourceState) => row.state === 'ok' || row.state === 'suspended';

export function SourcesByPlatform({rows}: {rows: readonly SourceState[]}) {
  const used = rows.filter(isInUse);
  const rest = rows.filter(row => !isInUse(row));
  const platforms = [...new Set(used.flatMap(row => row.platforms))].sort();
  return (
    <>
      {platforms.map(platform => (
        <section key={platform} class="card sources">
          <h2>{platformName(platform)}</h2>
          <Table
            caption={words.caption(platformName(platform))}
            lines
            columns={columns}
            rows={used.filter(row => row.platforms.includes(platform))}
          />
        </section>
      ))}
      {rest.length > 0 && (
        <details class="card">
          <summary>{words.notInUse(rest.length)}</summary>
          <ul class="facts-row">
            {rest.map(row => (
              <li key={row.name}>
                <strong>{row.name}</strong>{' '}
                <span class="badge quiet">{meanings[row.state]?.[1] ?? row.state}</span>{' '}
                <span class="muted">{row.platforms.map(platformName).join(', ')}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
