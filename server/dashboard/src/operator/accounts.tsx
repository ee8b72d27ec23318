// The operator's accounts: found, made, moved to another plan, given credits, their keys ended.
import {useState} from 'preact/hooks';
import {get} from '../api/http';
import type {OperatorAccount, Plan} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {credits, number, signed} from '../data/format';
import {Dialog, Submit} from '../parts/controls';
import {SelectField, TextField} from '../parts/field';
import {Form, useForm} from '../parts/form';
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
  const form = useForm({email: '', plan: 'free'});
  const submit = () =>
    form.run(async values => {
      await command('accounts.create', values);
      whenDone(`${values.email} has an account on the plan ${values.plan}`);
      onClose();
    });
  return (
    <Form onSubmit={submit} problem={form.problem} fields={['email', 'plan']} label="New account">
      <TextField label="E-mail address" type="email" required {...form.bind('email')} />
      <SelectField label="Plan" choices={plans} {...form.bind('plan')} />
      <Foot busy={form.busy} verb="Make the account" onClose={onClose} />
    </Form>
  );
}

function Foot({busy, verb, onClose}: {busy: boolean; verb: string; onClose(): void}) {
  return (
    <div class="form-foot">
      <Submit busy={busy}>{verb}</Submit>
      <button type="button" class="secondary" onClick={onClose}>
        Cancel
      </button>
    </div>
  );
}

function PlanForm({asked, onClose, whenDone}: ActProps) {
  const plans = usePlans();
  const form = useForm({plan: asked.plan});
  const submit = () =>
    form.run(async ({plan}) => {
      const done = await command<{change: number; balance: number}>('accounts.plan', {
        email: asked.email,
        plan,
      });
      whenDone(
        `${asked.email} is on ${plan}: ${signed(done.change)}, balance ${number(done.balance)}`,
      );
      onClose();
    });
  return (
    <Form onSubmit={submit} problem={form.problem} fields={['plan']} label="Plan">
      <SelectField label="Plan" choices={plans} {...form.bind('plan')} />
      <Foot busy={form.busy} verb="Change the plan" onClose={onClose} />
    </Form>
  );
}

/** Text as a whole number where it is one; otherwise the server says what is wrong. */
function wholeNumber(text: string): number | string {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
}

function GrantForm({asked, onClose, whenDone}: ActProps) {
  const form = useForm({credits: '', reason: ''});
  const submit = () =>
    form.run(async values => {
      const amount = wholeNumber(values.credits);
      const {reason} = values;
      await command('credits.grant', {email: asked.email, credits: amount, reason});
      whenDone(`${asked.email} was given ${values.credits} credits`);
      onClose();
    });
  return (
    <Form onSubmit={submit} problem={form.problem} fields={['credits', 'reason']} label="Grant">
      <TextField label="Credits" inputMode="numeric" required {...form.bind('credits')} />
      <TextField
        label="Reason"
        help="It stands in the account's ledger."
        required
        {...form.bind('reason')}
      />
      <Foot busy={form.busy} verb="Give the credits" onClose={onClose} />
    </Form>
  );
}

function RefundForm({onClose, whenDone}: ActProps) {
  const form = useForm({request_id: '', credits: '', reason: ''});
  const submit = () =>
    form.run(async ({request_id, credits: amount, reason}) => {
      const some = amount.trim() === '' ? {} : {credits: wholeNumber(amount)};
      await command('credits.refund', {request_id, reason, ...some});
      whenDone(`The call ${request_id} was refunded`);
      onClose();
    });
  return (
    <Form
      onSubmit={submit}
      problem={form.problem}
      fields={['request_id', 'credits', 'reason']}
      label="Refund"
    >
      <TextField label="Request id" placeholder="req_…" required {...form.bind('request_id')} />
      <TextField
        label="Credits"
        inputMode="numeric"
        optional
        help="Default: all that the call was charged."
        {...form.bind('credits')}
      />
      <TextField label="Reason" required {...form.bind('reason')} />
      <Foot busy={form.busy} verb="Refund the call" onClose={onClose} />
    </Form>
  );
}

function ActDialog(props: ActProps) {
  const {act, email} = props.asked;
  const titles: Record<Act, string> = {
    create: 'Make an account',
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
          {row.email ?? 'deleted'} {row.operator && <span class="badge ok">operator</span>}
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
              <button key={act} type="button" class="plain" onClick={() => ask(act, row)}>
                {name}
                <span class="visually-hidden"> of {row.email}</span>
              </button>
            ))}
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
  const [more, setMore] = useState<OperatorAccount[]>([]);
  const loaded = useLoaded(async () => {
    setMore([]);
    return command<AccountsPageOf>('accounts.list', {...(q ? {q} : {}), limit: 50});
  }, [q]);
  const [next, setNext] = useState<string | null | undefined>(undefined);
  const cursor = next === undefined || more.length === 0 ? loaded.value?.next_cursor : next;
  const showMore = async () => {
    const page = await command<AccountsPageOf>('accounts.list', {
      ...(q ? {q} : {}),
      limit: 50,
      cursor,
    });
    setMore(before => [...before, ...page.accounts]);
    setNext(page.next_cursor);
  };
  const unread = loaded.value === null && !loaded.loading;
  const rows = [...(loaded.value?.accounts ?? []), ...more];
  const ask = (act: Act, row?: OperatorAccount) =>
    setAsked({act, email: row?.email ?? '', plan: row?.plan ?? 'free'});
  return (
    <Page
      title="Accounts"
      actions={
        <>
          <button type="button" class="secondary" onClick={() => ask('refund')}>
            Refund a call
          </button>
          <button type="button" class="primary" onClick={() => ask('create')}>
            Make an account
          </button>
        </>
      }
    >
      {said && <Notice kind="good" title={said} />}
      <Search onSearch={setQ} />
      <ProblemNotice problem={loaded.problem} again={loaded.again} />
      <section class="card" aria-busy={loaded.loading} hidden={unread}>
        {loaded.value === null && loaded.loading && <Loading what="the accounts" />}
        {loaded.value && rows.length === 0 && (
          <Empty title={q ? `No account matches “${q}”` : 'There are no accounts'} />
        )}
        {rows.length > 0 && (
          <Table caption="Accounts" columns={columnsOf(ask)} rows={rows} rowKey={row => row.id} />
        )}
        {cursor && (
          <div class="more">
            <button type="button" class="secondary" onClick={() => void showMore()}>
              Show more
            </button>
          </div>
        )}
      </section>
      {asked && (
        <ActDialog
          asked={asked}
          onClose={() => setAsked(null)}
          whenDone={done => {
            setSaid(done);
            loaded.again();
          }}
        />
      )}
    </Page>
  );
}
