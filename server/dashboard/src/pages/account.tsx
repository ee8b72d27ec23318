// The person's own: password, sessions, the data as a file, and leaving.
import {useState} from 'preact/hooks';
import {get, send} from '../api/http';
import type {Session, SessionRow} from '../api/types';
import {useAttempt, useLoaded} from '../app/loading';
import {useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {AlertsCard} from './alerts';
import {SecondFactorCards} from './second_factor';
import {download} from '../data/download';
import {exportedParts} from '../data/exported';
import {browserName} from '../data/browser';
import {Button, Dialog, RowAction} from '../parts/controls';
import {DialogForm, FormOf, PasswordField, useForm} from '../parts/form';
import {LoadedView, Notice, ProblemNotice} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {Message} from '../parts/message';
import {account as words, actions, fragments, terms} from '../words';

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
      <h2>{terms.password}</h2>
      {done && <Notice kind="good" title={words.passwordChanged} />}
      <FormOf of={form} label={actions.changePassword} verb={actions.changePassword}>
        <PasswordField label={words.currentPassword} {...form.bind('current_password')} />
        <PasswordField label={terms.newPassword} chosen {...form.bind('new_password')} />
      </FormOf>
    </section>
  );
}

function sessionColumns(end: (id: string) => void): Column<SessionRow>[] {
  return [
    {
      name: terms.browser,
      cell: row => (
        <>
          <span title={row.user_agent}>{browserName(row.user_agent)}</span>{' '}
          {row.current && <span class="badge ok">{words.thisSession}</span>}
        </>
      ),
    },
    {name: terms.address, cell: row => row.address},
    {name: terms.since, cell: row => <Time at={row.created_at} />},
    {name: terms.lastUsed, cell: row => <Time at={row.last_used_at} relative />},
    {
      name: terms.actions,
      isVoid: row => row.current,
      cell: row =>
        row.current ? (
          <span class="muted">–</span>
        ) : (
          <RowAction
            danger
            verb={actions.endSession}
            of={fragments.sessionOf(browserName(row.user_agent))}
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
      <h2>{terms.sessions}</h2>
      <LoadedView of={{...loaded, problem: problem ?? loaded.problem}} what={terms.sessions}>
        {rows => (
          <Table caption={words.sessionsCaption} columns={sessionColumns(end)} rows={rows} />
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
      setSaid(words.dataSaved);
    });
  return (
    <section class="card">
      <h2>{words.data}</h2>
      <p>{words.dataHelp}</p>
      <ProblemNotice problem={problem} />
      <div class="form-foot">
        <Button onClick={save}>{actions.exportData}</Button>
        <span class="live" aria-live="polite">
          {said}
        </span>
      </div>
    </section>
  );
}

function DeleteDialog({onClose}: {onClose(): void}) {
  const {leave} = useSession();
  const {go} = useRouter();
  const form = useForm({password: ''}, async values => {
    await send('delete', values, {quiet: true});
    await leave();
    go('/dashboard/sign-in');
  });
  return (
    <Dialog title={words.deleteQuestion} onClose={onClose}>
      <DialogForm
        of={form}
        label={actions.deleteAccount}
        verb={actions.deleteAccount}
        kind="danger"
        keep={actions.keep}
        onClose={onClose}
      >
        <p>{words.deleteHelp}</p>
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
      title={terms.account}
      lead={
        account && (
          <>
            {account.email}
            <Message text={fragments.accountSince(account.id)} /> <Time at={account.created_at} />
          </>
        )
      }
    >
      <Password whenChanged={() => setRound(n => n + 1)} />
      <SecondFactorCards whenChanged={() => setRound(n => n + 1)} />
      <AlertsCard />
      <Sessions round={round} />
      <Data />
      <section class="card">
        <h2>{actions.leave}</h2>
        <p>{words.leaveHelp}</p>
        <div class="form-foot">
          <Button kind="danger" onClick={() => setDeleting(true)}>
            {actions.deleteAccount}
          </Button>
        </div>
      </section>
      {deleting && <DeleteDialog onClose={() => setDeleting(false)} />}
    </Page>
  );
}
