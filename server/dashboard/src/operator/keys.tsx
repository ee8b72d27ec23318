// The keys of somebody's account, which an operator may end but never see.
import type {ApiKey} from '../api/types';
import {useAttempt, useLoaded} from '../app/loading';
import {RowAction} from '../parts/controls';
import {Empty, LoadedView} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {command} from './command';
import {actions, operator as words, terms} from '../words';

/** With what is told of it to operators alone. */
type ListedKey = ApiKey & {state: 'good' | 'revoked' | 'expired'};

export function AccountKeys({email}: {email: string}) {
  const loaded = useLoaded(
    async () => (await command<{keys: ListedKey[]}>('keys.list', {email})).keys,
    [email],
  );
  const {problem, attempt} = useAttempt();
  const revoke = (id: string) =>
    attempt(async () => {
      await command('keys.revoke', {id});
      loaded.again();
    });
  const columns: Column<ListedKey>[] = [
    {name: terms.key, cell: row => <code>{`frs_${row.mode}_…${row.last_four}`}</code>},
    {
      name: terms.actions,
      cell: row =>
        row.state !== 'good' ? (
          <span class="badge off">{row.state === 'revoked' ? terms.revoked : terms.expired}</span>
        ) : (
          <RowAction
            danger
            verb={actions.revoke}
            of={`…${row.last_four}`}
            onClick={() => void revoke(row.id)}
          />
        ),
    },
  ];
  return (
    <LoadedView of={{...loaded, problem: problem ?? loaded.problem}} what={terms.keys}>
      {rows => (
        <Table
          caption={words.keysOf(email)}
          columns={columns}
          rows={rows}
          empty={<Empty title={words.noKeys} />}
        />
      )}
    </LoadedView>
  );
}
