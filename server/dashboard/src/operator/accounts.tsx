// The operator's accounts: found, made, moved to another plan, given credits, their keys ended.
import {useEffect, useState} from 'preact/hooks';
import {get} from '../api/http';
import type {OperatorAccount, Plan} from '../api/types';
import {useLoaded, usePages} from '../app/loading';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {credits, number, signed} from '../data/format';
import {Button, Dialog, More, RowAction} from '../parts/controls';
import {SelectField, TextField} from '../parts/field';
import {DialogForm, useForm} from '../parts/form';
import {Empty, Loading, Notice, ProblemNotice} from '../parts/notice';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {command} from './command';
import {AccountKeys} from './keys';

type Act = 'create' | 'plan' | 'grant' | 'refund' | 'keys';
interface Asked {
  act: Act;
  email: string;
  plan: string;
}

interface AccountsPageOf {
  accounts: OperatorAccount[];
  next_cursor: string | null;
}

interface ActProps {
  asked: Asked;
  onClose(): void;
  whenDone(said: string): void;
}

function usePlans(): [string, string][] {
  const plans = useLoaded(
    async () => (await get<{plans: Plan[]}>('/dashboard/api/plans')).plans,
    [],
  );
  const known = plans.value ?? [];
  return known.map(plan => [plan.name, `${plan.name}: ${credits(plan.monthly_credits)} a month`]);
}

function CreateForm({onClose, whenDone}: ActProps) {
  const plans = usePlans();
  const form = useForm({email: '', plan: 'free'}, async values => {
    await command('accounts.create', values);
    whenDone(`${values.email} has an account on the plan ${values.plan}`);
    onClose();
  });
  return (
    <DialogForm of={form} label="New account" verb="Make the account" onClose={onClose}>
      <TextField label="E-mail address" type="email" required {...form.bind('email')} />
      <SelectField label="Plan" choices={plans} {...form.bind('plan')} />
    </DialogForm>
  );
}

function PlanForm({asked, onClose, whenDone}: ActProps) {
  const {email} = asked;
  const plans = usePlans();
  const form = useForm({plan: asked.plan}, async ({plan}) => {
    const sent = {email, plan};
    const done = await command<{change: number; balance: number}>('accounts.plan', sent);
    whenDone(`${email} is on ${plan}: ${signed(done.change)}, balance ${number(done.balance)}`);
    onClose();
  });
  return (
    <DialogForm of={form} label="Plan" verb="Change the plan" onClose={onClose}>
      <SelectField label="Plan" choices={plans} {...form.bind('plan')} />
    </DialogForm>
  );
}

/** Text as a whole number where it is one; otherwise the server says what is wrong. */
function wholeNumber(text: string): number | string {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
}

function GrantForm({asked, onClose, whenDone}: ActProps) {
  const {email} = asked;
  const form = useForm({credits: '', reason: ''}, async values => {
    await command('credits.grant', {email, ...values, credits: wholeNumber(values.credits)});
    whenDone(`${email} was given ${values.credits} credits`);
    onClose();
  });
  const about = "It stands in the account's ledger.";
  return (
    <DialogForm of={form} label="Grant" verb="Give the credits" onClose={onClose}>
      <TextField label="Credits" inputMode="numeric" required {...form.bind('credits')} />
      <TextField label="Reason" help={about} required {...form.bind('reason')} />
    </DialogForm>
  );
}

function RefundForm({onClose, whenDone}: ActProps) {
  const none = {request_id: '', credits: '', reason: ''};
  const form = useForm(none, async ({request_id, credits: amount, reason}) => {
    const some = amount.trim() === '' ? {} : {credits: wholeNumber(amount)};
    await command('credits.refund', {request_id, reason, ...some});
    whenDone(`The call ${request_id} was refunded`);
    onClose();
  });
  return (
    <DialogForm of={form} label="Refund" verb="Refund the call" onClose={onClose}>
      <TextField label="Request id" placeholder="req_…" required {...form.bind('request_id')} />
      <TextField
        label="Credits"
        inputMode="numeric"
        optional
        help="Default: all that the call was charged."
        {...form.bind('credits')}
      />
      <TextField label="Reason" required {...form.bind('reason')} />
    </DialogForm>
  );
}

function ActDialog(props: ActProps) {
  const {act, email} = props.asked;
  const titles: Record<Act, string> = {
    create: 'Create account',
    plan: `Plan of ${email}`,
    grant: `Give credits to ${email}`,
    refund: 'Refund a call',
    keys: `Keys of ${email}`,
  };
  const forms: Record<Act, (props: ActProps) => preact.JSX.Element> = {
    create: CreateForm,
    plan: PlanForm,
    grant: GrantForm,
    refund: RefundForm,
    keys: ({asked}) => <AccountKeys email={asked.email} />,
  };
  const Content = forms[act];
  return (
    <Dialog title={titles[act]} onClose={props.onClose}>
      <Content {...props} />
    </Dialog>
  );
}

function columnsOf(ask: (act: Act, row: OperatorAccount) => void): Column<OperatorAccount>[] {
  const acts: [Act, string][] = [
    ['grant', 'Grant'],
    ['plan', 'Plan'],
    ['keys', 'Keys'],
  ];
  return [
    {
      name: 'Account',
      cell: row => (
        <>
          {row.email === null ? (
            'deleted'
          ) : (
            <Link href={`/dashboard/operator/account?email=${encodeURIComponent(row.email)}`}>
              {row.email}
            </Link>
          )}{' '}
          {row.operator && <span class="badge ok">operator</span>}
          {row.deleted_at === null && !row.email_verified && (
            <span class="badge quiet">not verified</span>
          )}
          <code class="below">{row.id}</code>
        </>
      ),
    },
    {name: 'Plan', cell: row => row.plan},
    {name: 'Balance', cell: row => number(row.balance), numeric: true},
    {name: 'Since', cell: row => <Time at={row.created_at} />},
    {
      name: 'Actions',
      cell: row =>
        row.email === null || row.deleted_at !== null ? (
          <span class="muted">–</span>
        ) : (
          <span class="row-actions">
            {acts.map(([act, name]) => (
              <RowAction
                key={act}
                verb={name}
                of={`of ${row.email}`}
                onClick={() => ask(act, row)}
              />
            ))}
            <Link href={`/dashboard/operator/requests?email=${encodeURIComponent(row.email)}`}>
              Requests<span class="visually-hidden"> of {row.email}</span>
            </Link>
          </span>
        ),
    },
  ];
}

function Search({onSearch}: {onSearch(q: string): void}) {
  const [q, setQ] = useState('');
  return (
    <form
      class="search-row"
      role="search"
      onSubmit={event => {
        event.preventDefault();
        onSearch(q.trim());
      }}
    >
      <TextField label="Find an account" type="search" value={q} onValue={setQ} />
      <button type="submit" class="secondary">
        Search
      </button>
    </form>
  );
}

export function AccountsPage() {
  const [q, setQ] = useState('');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState('');
  const {shown, problem, busy, load} = usePages(async cursor => {
    const filter = {...(q ? {q} : {}), limit: 50, ...(cursor ? {cursor} : {})};
    const page = await command<AccountsPageOf>('accounts.list', filter);
    return {rows: page.accounts, next: page.next_cursor};
  });
  useEffect(() => void load(null), [q]);
  const ask = (act: Act, row?: OperatorAccount) =>
    setAsked({act, email: row?.email ?? '', plan: row?.plan ?? 'free'});
  return (
    <Page
      title="Accounts"
      actions={
        <>
          <Button onClick={() => ask('refund')}>Refund a call</Button>
          <Button kind="primary" onClick={() => ask('create')}>
            Create account
          </Button>
        </>
      }
    >
      {said && <Notice kind="good" title={said} />}
      <Search onSearch={setQ} />
      <ProblemNotice problem={problem} again={() => void load(null)} />
      <section class="card" aria-busy={busy} hidden={shown === null && !busy}>
        {shown === null && busy && <Loading what="the accounts" />}
        {shown && (
          <Table
            caption="Accounts"
            columns={columnsOf(ask)}
            rows={shown.rows}
            empty={<Empty title={q ? `No account matches “${q}”` : 'There are no accounts'} />}
          />
        )}
        {shown?.next && <More verb="Show more" onClick={() => void load(shown.next)} />}
      </section>
      {asked && (
        <ActDialog
          asked={asked}
          onClose={() => setAsked(null)}
          whenDone={done => {
            setSaid(done);
            void load(null);
          }}
        />
      )}
    </Page>
  );
}
