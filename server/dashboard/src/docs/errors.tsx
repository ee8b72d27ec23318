// The error codes: all of them, and each with what it means and what to do.
import {get} from '../api/http';
import {useLoaded} from '../app/loading';
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import type {ErrorCode} from '../data/openapi';
import {LoadedView} from '../parts/notice';
import {Prose} from '../parts/markdown';
import {Facts, Table, type Column} from '../parts/table';

const columns: Column<ErrorCode>[] = [
  {name: 'Code', cell: row => <Link href={`/docs/errors/${row.code}`}>{row.code}</Link>},
  {name: 'Status', cell: row => row.status, numeric: true},
  {name: 'Means', cell: row => <Prose text={row.help} />},
  {name: 'Same call later', cell: row => (row.retryable ? 'can succeed' : 'no')},
];

export function ErrorsPage({reference}: {reference: Reference}) {
  return (
    <Page
      title="Errors"
      lead="Every error is a problem document (RFC 9457) with a stable code. None costs a credit."
    >
      <Table caption="Error codes" columns={columns} rows={reference.errors} />
    </Page>
  );
}

export function ErrorPage({code}: {code: string}) {
  const loaded = useLoaded(() => get<ErrorCode>(`/errors/${encodeURIComponent(code)}`), [code]);
  const info = loaded.value;
  return (
    <Page title={info?.title ?? code} lead={info && <code>{info.code}</code>}>
      <LoadedView of={loaded} what="the error">
        {({code: name, status, retryable, help}) => (
          <>
            <p class="prominent">
              <Prose text={help} />
            </p>
            <Facts
              facts={[
                ['HTTP status', status],
                [
                  'Same call later',
                  retryable ? 'can succeed; wait as Retry-After says' : 'fails the same way',
                ],
                ['Costs', '0 credits'],
                ['For machines', <a href={`/errors/${name}`}>{`/errors/${name}`}</a>],
              ]}
            />
          </>
        )}
      </LoadedView>
      <p>
        <Link href="/docs/errors">All codes</Link>
      </p>
    </Page>
  );
}
