// The keys of somebody's account, which an operator may end but never see.
import {useState} from 'preact/hooks';
import {problemOf, type Problem} from '../api/http';
import type {ApiKey} from '../api/types';
import {useLoaded} from '../app/loading';
import {Empty, Loading, ProblemNotice} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {command} from './command';

export function AccountKeys({email}: {email: string}) {
  const loaded = useLoaded(
    async () => (await command<{keys: ApiKey[]}>('keys.list', {email})).keys,
    [email],
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const revoke = async (id: string) => {
    try {
      await command('keys.revoke', {id});
      setProblem(null);
      loaded.again();
    } catch (failure) {
      setProblem(problemOf(failure));
    }
  };
  const columns: Column<ApiKey>[] = [
    {name: 'Key', cell: row => <code>{`frs_${row.mode}_…${row.last_four}`}</code>},
    {
      name: 'Action',
      cell: row =>
        row.revoked_at ? (
          <span class="badge off">revoked</span>
        ) : (
          <button type="button" class="plain danger-text" onClick={() => void revoke(row.id)}>
            Revoke<span class="visually-hidden"> …{row.last_four}</span>
          </button>
        ),
    },
  ];
  return (
    <>
      <ProblemNotice problem={problem ?? loaded.problem} again={loaded.again} />
      {loaded.value === null && loaded.loading && <Loading what="the keys" />}
      {loaded.value?.length === 0 && <Empty title="No keys" />}
      {loaded.value && loaded.value.length > 0 && (
        <Table
          caption={`Keys of ${email}`}
          columns={columns}
          rows={loaded.value}
          rowKey={row => row.id}
        />
      )}
    </>
  );
}
