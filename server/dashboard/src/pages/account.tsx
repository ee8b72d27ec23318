// The person's own: password, sessions, the data as a file, and leaving.
import {useState} from 'preact/hooks';
import {get, send} from '../api/http';
import type {Session, SessionRow} from '../api/types';
import {useAttempt, useLoaded} from '../app/loading';
import {useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {SecondFactorCards} from './second_factor';
import {download} from '../data/download';
import {exportedParts} from '../data/exported';
import {browserName} from '../data/format';
import {Button, Dialog, RowAction} from '../parts/controls';
import {DialogForm, FormOf, PasswordField, useForm} from '../parts/form';
import {LoadedView, Notice, ProblemNotice} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';

function Password({whenChanged}: {whenChanged(): void}) {
  const {take} = useSession();
  const none = {current_password: '', new_password: ''};
  const [done, setDone] = useState(false);
  const form = useForm(none, async values => {
    setDone(false);
    take((await send<Session>('password', values)).body);
    form.setValues(none);
    setDone(true);
    whenChanged();
  });
  return (
    <section class="card">
      <h2>Password</h2>
      {done && <Notice kind="good" title="Your password is changed; every other session ended." />}
      <FormOf of={form} label="Change the password" verb="Change it">
        <PasswordField label="Current password" {...form.bind('current_password')} />
        <PasswordField label="New password" chosen {...form.bind('new_password')} />
      </FormOf>
    </section>
  );
}

function sessionColumns(end: (id: string) => void): Column<SessionRow>[] {
  return [
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
          <RowAction
            danger
            verb="End"
            of={`the session of ${browserName(row.user_agent)}`}
            onClick={() => end(row.id)}
          />
        ),
    },
  ];
}

function Sessions({round}: {round: number}) {
  const loaded = useLoaded(
    async () => (await get<{sessions: SessionRow[]}>('/dashboard/api/sessions')).sessions,
    [round],
  );
  const {problem, attempt} = useAttempt();
  const end = (id: string) =>
    attempt(async () => {
      await send('sessions/end', {id});
      loaded.again();
    });
  return (
    <section class="card">
      <h2>Sessions</h2>
      <LoadedView of={{...loaded, problem: problem ?? loaded.problem}} what="the sessions">
        {rows => (
          <Table caption="Where you are signed in" columns={sessionColumns(end)} rows={rows} />
        )}
      </LoadedView>
    </section>
  );
}

function Data() {
  const {problem, attempt} = useAttempt();
  const [said, setSaid] = useState('');
  const save = () =>
    attempt(async () => {
      setSaid('');
      download('freshet-account.json', 'application/json', ...(await exportedParts(get)));
      setSaid('Saved as freshet-account.json');
    });
  return (
    <section class="card">
      <h2>Your data</h2>
      <p>All that this server keeps of your account, as one JSON document.</p>
      <ProblemNotice problem={problem} />
      <div class="form-foot">
        <Button onClick={save}>Export</Button>
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
  const form = useForm({password: ''}, async values => {
    await send('delete', values, {quiet: true});
    await reload();
    go('/dashboard/sign-in');
  });
  return (
    <Dialog title="Delete the account?" onClose={onClose}>
      <DialogForm
        of={form}
        label="Delete"
        verb="Delete account"
        kind="danger"
        keep="Keep it"
        onClose={onClose}
      >
        <p>
          Your keys stop working, your sessions end, and your address and password are forgotten.
          The ledger's rows stay under the account's number. This cannot be taken back.
        </p>
        <PasswordField {...form.bind('password')} />
      </DialogForm>
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
      <SecondFactorCards whenChanged={() => setRound(n => n + 1)} />
      <Sessions round={round} />
      <Data />
      <section class="card">
        <h2>Leave</h2>
        <p>Deletes the account. Export your data before.</p>
        <div class="form-foot">
          <Button kind="danger" onClick={() => setDeleting(true)}>
            Delete the account
          </Button>
        </div>
      </section>
      {deleting && <DeleteDialog onClose={() => setDeleting(false)} />}
    </Page>
  );
}
