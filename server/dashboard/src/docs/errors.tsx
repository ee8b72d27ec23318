// The error codes: all of them, and each with what it means and what to do.
import {get} from '../api/http';
import {useLoaded} from '../app/loading';
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import type {ErrorCode} from '../data/openapi';
import {Loading, ProblemNotice} from '../parts/notice';
import {Prose} from '../parts/markdown';
import {Table, type Column} from '../parts/table';

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
      <Table
        caption="Error codes"
        columns={columns}
        rows={reference.errors}
        rowKey={row => row.code}
      />
    </Page>
  );
}

interface ErrorInfo {
  code: string;
  title: string;
  status: number;
  retryable: boolean;
  help: string;
}

export function ErrorPage({code}: {code: string}) {
  const loaded = useLoaded(() => get<ErrorInfo>(`/errors/${encodeURIComponent(code)}`), [code]);
  const info = loaded.value;
  return (
    <Page title={info?.title ?? code} lead={info && <code>{info.code}</code>}>
      <ProblemNotice problem={loaded.problem} again={loaded.again} />
      {info === null && loaded.loading && <Loading what="the error" />}
      {info && (
        <>
          <p class="prominent">
            <Prose text={info.help} />
          </p>
          <dl class="facts">
            <div>
              <dt>HTTP status</dt>
              <dd>{info.status}</dd>
            </div>
            <div>
              <dt>Same call later</dt>
              <dd>
                {info.retryable ? 'can succeed; wait as Retry-After says' : 'fails the same way'}
              </dd>
            </div>
            <div>
              <dt>Costs</dt>
              <dd>0 credits</dd>
            </div>
            <div>
              <dt>For machines</dt>
              <dd>
                <a href={`/errors/${info.code}`}>{`/errors/${info.code}`}</a>
              </dd>
            </div>
          </dl>
        </>
      )}
      <p>
        <Link href="/docs/errors">All codes</Link>
      </p>
    </Page>
  );
}
