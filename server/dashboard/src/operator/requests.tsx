// The calls of somebody's account, without what was sent and answered.
import type {ApiKey, RequestRow} from '../api/types';
import {useLoaded} from '../app/loading';
import {Link, useRouter} from '../app/router';
import {Page} from '../app/shell';
import {Empty} from '../parts/notice';
import {RequestLog, rowsAtOnce, type RequestSource} from '../parts/requests';
import {command} from './command';
import {actions, requests as words, terms} from '../words';

/** The calls of one account: whose, the address says. */
export function AccountRequestsPage() {
  const email = useRouter().query.get('email') ?? '';
  return email === '' ? <NobodysRequests /> : <RequestsOf key={email} email={email} />;
}

function NobodysRequests() {
  return (
    <Page title={terms.requests}>
      <section class="card">
        <Empty title={words.noneChosen}>
          <Link class="button primary" href="/dashboard/operator/accounts">
            {actions.chooseAccount}
          </Link>
        </Empty>
      </section>
    </Page>
  );
}

function RequestsOf({email}: {email: string}) {
  const keys = useLoaded(
    async () => (await command<{keys: ApiKey[]}>('keys.list', {email})).keys,
    [email],
  );
  const source: RequestSource = {
    own: false,
    keys: [
      ...(keys.value ?? []).map((key): [string, string] => [key.id, `…${key.last_four}`]),
      ['dashboard', terms.dashboard],
    ],
    async list(filter, cursor) {
      const page = cursor === null ? {} : {cursor};
      const found = await command<{requests: RequestRow[]; next_cursor: string | null}>(
        'requests.list',
        {email, limit: rowsAtOnce, ...filter, ...page},
      );
      return {rows: found.requests, next: found.next_cursor};
    },
    show: id => command<RequestRow>('requests.show', {email, id}),
  };
  return (
    <Page title={terms.requests} lead={email}>
      <RequestLog source={source} of={email} />
    </Page>
  );
}
