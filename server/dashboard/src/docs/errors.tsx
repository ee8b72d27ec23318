// The error codes: all of them, and each with what it means and what to do.
import {Fragment} from 'preact';
import {get} from '../api/http';
import {useLoaded} from '../app/loading';
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import type {ErrorCode} from '../data/openapi';
import {LoadedView, NextStep} from '../parts/notice';
import {Prose} from '../parts/markdown';
import {Facts, Table, type Column} from '../parts/table';
import {actions, counted, docs as words, terms} from '../words';

/** A code that may break between its words: what it means needs the room. */
const breakable = (code: string) =>
  code.split('_').map((word, i) => (
    <Fragment key={word}>
      {i > 0 && '_'}
      {i > 0 && <wbr />}
      {word}
    </Fragment>
  ));

const CodeLink = ({of}: {of: ErrorCode}) => (
  <Link href={`/docs/errors/${of.code}`}>{breakable(of.code)}</Link>
);

const meaning: Column<ErrorCode> = {name: words.means, cell: row => <Prose text={row.help} />};

/** Those of one endpoint, beside its example. */
export const ownColumns: Column<ErrorCode>[] = [
  {
    name: terms.code,
    cell: row => (
      <>
        <CodeLink of={row} />
        <span class="below">{row.status}</span>
      </>
    ),
  },
  meaning,
];

const columns: Column<ErrorCode>[] = [
  {name: terms.code, cell: row => <CodeLink of={row} />},
  {name: terms.status, cell: row => row.status, numeric: true},
  meaning,
  {name: terms.retry, cell: row => (row.retryable ? words.canSucceed : terms.no)},
];

export function ErrorsPage({reference}: {reference: Reference}) {
  return (
    <Page title={terms.errors} lead={words.errorsLead}>
      <Table caption={words.errorCodes} columns={columns} rows={reference.errors} />
    </Page>
  );
}

export function ErrorPage({code}: {code: string}) {
  const loaded = useLoaded(() => get<ErrorCode>(`/errors/${encodeURIComponent(code)}`), [code]);
  const info = loaded.value;
  return (
    <Page title={info?.title ?? code} lead={info && <code>{info.code}</code>}>
      <LoadedView of={loaded} what={terms.error}>
        {({code: name, status, retryable, help}) => (
          <>
            <p class="prominent">
              <Prose text={help} />
            </p>
            <NextStep code={name} />
            <Facts
              facts={[
                [terms.httpStatus, status],
                [terms.retry, retryable ? words.canSucceedLater : words.failsAgain],
                [words.costs, counted.credits(0)],
                [words.machines, <a href={`/errors/${name}`}>{`/errors/${name}`}</a>],
              ]}
            />
          </>
        )}
      </LoadedView>
      <p>
        <Link href="/docs/errors">{actions.allErrors}</Link>
      </p>
    </Page>
  );
}
