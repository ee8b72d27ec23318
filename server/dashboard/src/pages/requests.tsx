// Every call of the account, failed ones too: what came of it, and once more.
import {call, callAll} from '../api/calls';
import type {ApiKey, RequestRow} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {RequestLog, rowsAtOnce, type RequestSource} from '../parts/requests';
import {requests as words, terms} from '../words';

export function RequestsPage() {
  const keys = useLoaded(() => callAll<ApiKey>('account/keys/list', {}), []);
  const source: RequestSource = {
    own: true,
    keys: [
      ...(keys.value ?? []).map((key): [string, string] => [
        key.id,
        key.name ?? `…${key.last_four}`,
      ]),
      ['dashboard', terms.dashboard],
    ],
    async list(filter, cursor) {
      const page = cursor === null ? {} : {cursor};
      const sent = {limit: rowsAtOnce, ...filter, ...page};
      const {body} = await call<RequestRow[]>('account/requests/list', sent);
      return {rows: body.data, next: body.page?.next_cursor ?? null};
    },
    show: async id => (await call<RequestRow>('account/requests/show', {id})).body.data,
  };
  return (
    <Page title={terms.requests} lead={words.lead}>
      <RequestLog source={source} />
    </Page>
  );
}
