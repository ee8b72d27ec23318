// The calls of somebody's account, without what was sent and answered.
import type {ApiKey, RequestRow} from '../api/types';
import {useLoaded} from '../app/loading';
import {useRouter} from '../app/router';
import {Page} from '../app/shell';
import {RequestLog, rowsAtOnce, type RequestSource} from '../parts/requests';
import {command} from './command';
import {terms} from '../words';

export function AccountRequestsPage() {
  const email = useRouter().query.get('email') ?? '';
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
