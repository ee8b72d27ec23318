// The person's own: password, sessions, the data as a file, and leaving.
import {useState} from 'preact/hooks';
import {get, problemOf, send, type Problem} from '../api/http';
import type {Session, SessionRow} from '../api/types';
import {useLoaded} from '../app/loading';
import {useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {download} from '../data/download';
import {browserName} from '../data/format';
import {Dialog, Submit} from '../parts/controls';
import {TextField} from '../parts/field';
import {Form, useForm} from '../parts/form';
import {Loading, Notice, ProblemNotice} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';

function Password({whenChanged}: {whenChanged(): void}) {
  const {take} = useSession();
  const form = useForm({current_password: '', new_password: ''});
  const [done, setDone] = useState(false);
  const submit = () =>
    form.run(async values => {
      setDone(false);
      take((await send<Session>('password', values)).body);
      form.setValues({current_password: '', new_password: ''});
      setDone(true);
      whenChanged();
    });
  return (
    <section class="card">
      <h2>Password</h2>
      {done && <Notice kind="good" title="Your password is changed; every other session ended." />}
      <Form
        onSubmit={submit}
        problem={form.problem}
        fields={['current_password', 'new_password']}
        label="Change the password"
      >
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          {...form.bind('current_password')}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          help="At least 10 characters, and not your address."
          required
          {...form.bind('new_password')}
        />
        <div class="form-foot">
          <Submit busy={form.busy}>Change it</Submit>
        </div>
      </Form>
    </section>
  );
}

function Sessions({round}: {round: number}) {
  const loaded = useLoaded(
    async () => (await get<{sessions: SessionRow[]}>('/dashboard/api/sessions')).sessions,
    [round],
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const end = async (id: string) => {
    try {
      await send('sessions/end', {id});
      setProblem(null);
      loaded.again();
    } catch (failure) {
      setProblem(problemOf(failure));
    }
  };
  const columns: Column<SessionRow>[] = [
    {
      name: 'Browser',
      cell: row => (
        <>
          <span title={row.user_agent}>{browserName(row.user_agent)}</span>{' '}
          {row.current && <span class="badge ok">this one</span>}
        </>
      ),
    },
    {name: 'Address', cell: row => row.address},
    {name: 'Since', cell: row => <Time at={row.created_at} />},
    {name: 'Last used', cell: row => <Time at={row.last_used_at} relative />},
    {
      name: 'Actions',
      cell: row =>
        row.current ? (
          <span class="muted">–</span>
        ) : (
          <button type="button" class="plain danger-text" onClick={() => void end(row.id)}>
            End<span class="visually-hidden"> the session of {browserName(row.user_agent)}</span>
          </button>
        ),
    },
  ];
  return (
    <section class="card">
      <h2>Sessions</h2>
      <ProblemNotice problem={problem ?? loaded.problem} again={loaded.again} />
      {loaded.value === null && loaded.loading && <Loading what="the sessions" />}
      {loaded.value && (
        <Table
          caption="Where you are signed in"
          columns={columns}
          rows={loaded.value}
          rowKey={row => row.id}
        />
      )}
    </section>
  );
}

function Data() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [said, setSaid] = useState('');
  const save = async () => {
    setSaid('');
    try {
      const data = await get<unknown>('/dashboard/api/export');
      download('freshet-account.json', 'application/json', JSON.stringify(data, null, 2));
      setProblem(null);
      setSaid('Saved as freshet-account.json');
    } catch (failure) {
      setProblem(problemOf(failure));
    }
  };
  return (
    <section class="card">
      <h2>Your data</h2>
      <p>All that this server keeps of your account, as one JSON document.</p>
      <ProblemNotice problem={problem} />
      <div class="form-foot">
        <button type="button" class="secondary" onClick={() => void save()}>
          Export
        </button>
        <span class="live" aria-live="polite">
          {said}
        </span>
      </div>
    </section>
  );
}

function DeleteDialog({onClose}: {onClose(): void}) {
  const {reload} = useSession();
  const {go} = useRouter();
  const form = useForm({password: ''});
  const submit = () =>
    form.run(async values => {
      await send('delete', values, {quiet: true});
      await reload();
      go('/dashboard/sign-in');
    });
  return (
    <Dialog title="Delete the account?" onClose={onClose}>
      <Form onSubmit={submit} problem={form.problem} fields={['password']} label="Delete">
        <p>
          Your keys stop working, your sessions end, and your address and password are forgotten.
          The ledger's rows stay under the account's number. This cannot be taken back.
        </p>
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          {...form.bind('password')}
        />
        <div class="form-foot">
          <Submit busy={form.busy} kind="danger">
            Delete it
          </Submit>
          <button type="button" class="secondary" onClick={onClose}>
            Keep it
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

export function AccountPage() {
  const {session} = useSession();
  const [round, setRound] = useState(0);
  const [deleting, setDeleting] = useState(false);
  const account = session?.account;
  return (
    <Page
      title="Account"
      lead={
        account && (
          <>
            {account.email}, <code>{account.id}</code>, since <Time at={account.created_at} />
          </>
        )
      }
    >
      <Password whenChanged={() => setRound(n => n + 1)} />
      <Sessions round={round} />
      <Data />
      <section class="card">
        <h2>Leave</h2>
        <p>Deletes the account. Export your data before.</p>
        <div class="form-foot">
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            Delete the account
          </button>
        </div>
      </section>
      {deleting && <DeleteDialog onClose={() => setDeleting(false)} />}
    </Page>
  );
}
