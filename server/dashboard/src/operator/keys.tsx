// The keys of somebody's account, which an operator may end but never see.
import type {ApiKey} from '../api/types';
import {useAttempt, useLoaded} from '../app/loading';
import {RowAction} from '../parts/controls';
import {Empty, LoadedView} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {command} from './command';

export function AccountKeys({email}: {email: string}) {
  const loaded = useLoaded(
    async () => (await command<{keys: ApiKey[]}>('keys.list', {email})).keys,
    [email],
  );
  const {problem, attempt} = useAttempt();
  const revoke = (id: string) =>
    attempt(async () => {
      await command('keys.revoke', {id});
      loaded.again();
    });
  const columns: Column<ApiKey>[] = [
    {name: 'Key', cell: row => <code>{`frs_${row.mode}_…${row.last_four}`}</code>},
    {
      name: 'Action',
      cell: row =>
        row.revoked_at ? (
          <span class="badge off">revoked</span>
        ) : (
          <RowAction
            danger
            verb="Revoke"
            of={`…${row.last_four}`}
            onClick={() => void revoke(row.id)}
          />
        ),
    },
  ];
  return (
    <LoadedView of={{...loaded, problem: problem ?? loaded.problem}} what="the keys">
      {rows => (
        <Table
          caption={`Keys of ${email}`}
          columns={columns}
          rows={rows}
          empty={<Empty title="No keys" />}
        />
      )}
    </LoadedView>
  );
}
