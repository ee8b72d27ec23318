// The operator's accounts: found, made, moved to another plan, given credits, their keys ended.
import {useEffect, useState} from 'preact/hooks';
import {get} from '../api/http';
import type {OperatorAccount, Plan} from '../api/types';
import {useLoaded, usePages} from '../app/loading';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {number} from '../data/format';
import {Button, Dialog, More, RowAction} from '../parts/controls';
import {SelectField, TextField} from '../parts/field';
import {DialogForm, useForm} from '../parts/form';
import {Empty, Loading, Notice, ProblemNotice} from '../parts/notice';
import {idExample} from '../parts/requests';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {command} from './command';
import {AccountKeys} from './keys';
import {accounts as words, actions, fragments, operator, terms} from '../words';

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
  return known.map(plan => [plan.name, words.planChoice(plan.name, plan.monthly_credits)]);
}

function CreateForm({onClose, whenDone}: ActProps) {
  const plans = usePlans();
  const form = useForm({email: '', plan: 'free'}, async values => {
    await command('accounts.create', values);
    whenDone(words.created(values.email, values.plan));
    onClose();
  });
  return (
    <DialogForm
      of={form}
      label={actions.createAccount}
      verb={actions.createAccount}
      onClose={onClose}
    >
      <TextField label={terms.email} type="email" required {...form.bind('email')} />
      <SelectField label={terms.plan} choices={plans} {...form.bind('plan')} />
    </DialogForm>
  );
}

function PlanForm({asked, onClose, whenDone}: ActProps) {
  const {email} = asked;
  const plans = usePlans();
  const form = useForm({plan: asked.plan}, async ({plan}) => {
    const sent = {email, plan};
    const done = await command<{change: number; balance: number}>('accounts.plan', sent);
    whenDone(words.planChanged(email, plan, done.change, done.balance));
    onClose();
  });
  return (
    <DialogForm of={form} label={terms.plan} verb={actions.changePlan} onClose={onClose}>
      <SelectField label={terms.plan} choices={plans} {...form.bind('plan')} />
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
    whenDone(words.granted(email, Number(values.credits)));
    onClose();
  });
  const about = words.grantHelp;
  return (
    <DialogForm of={form} label={actions.grant} verb={actions.giveCredits} onClose={onClose}>
      <TextField label={terms.credits} inputMode="numeric" required {...form.bind('credits')} />
      <TextField label={terms.reason} help={about} required {...form.bind('reason')} />
    </DialogForm>
  );
}

function RefundForm({onClose, whenDone}: ActProps) {
  const none = {request_id: '', credits: '', reason: ''};
  const form = useForm(none, async ({request_id, credits: amount, reason}) => {
    const some = amount.trim() === '' ? {} : {credits: wholeNumber(amount)};
    await command('credits.refund', {request_id, reason, ...some});
    whenDone(words.refunded(request_id));
    onClose();
  });
  return (
    <DialogForm of={form} label={actions.refund} verb={actions.refundCall} onClose={onClose}>
      <TextField
        label={terms.requestId}
        placeholder={idExample}
        required
        {...form.bind('request_id')}
      />
      <TextField
        label={terms.credits}
        inputMode="numeric"
        optional
        help={words.refundHelp}
        {...form.bind('credits')}
      />
      <TextField label={terms.reason} required {...form.bind('reason')} />
    </DialogForm>
  );
}

function ActDialog(props: ActProps) {
  const {act, email} = props.asked;
  const titles: Record<Act, string> = {
    create: actions.createAccount,
    plan: words.planTitle(email),
    grant: words.grantTitle(email),
    refund: words.refundTitle,
    keys: operator.keysOf(email),
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
    ['grant', actions.grant],
    ['plan', terms.plan],
    ['keys', terms.keys],
  ];
  return [
    {
      name: terms.account,
      cell: row => (
        <>
          {row.email === null ? (
            terms.deleted
          ) : (
            <Link
              class="above"
              href={`/dashboard/operator/account?email=${encodeURIComponent(row.email)}`}
            >
              {row.email}
            </Link>
          )}{' '}
          {row.operator && <span class="badge ok">{terms.operator}</span>}
          {row.deleted_at === null && !row.email_verified && (
            <span class="badge quiet">{terms.notVerified}</span>
          )}
          <code class="below">{row.id}</code>
        </>
      ),
    },
    {name: terms.plan, cell: row => row.plan},
    {name: terms.balance, cell: row => number(row.balance), numeric: true},
    {name: terms.since, cell: row => <Time at={row.created_at} />},
    {
      name: terms.actions,
      cell: row =>
        row.email === null || row.deleted_at !== null ? (
          <span class="muted">–</span>
        ) : (
          <span class="row-actions">
            {acts.map(([act, name]) => (
              <RowAction
                key={act}
                verb={name}
                of={fragments.grantOf(row.email ?? row.id)}
                onClick={() => ask(act, row)}
              />
            ))}
            <Link href={`/dashboard/operator/requests?email=${encodeURIComponent(row.email)}`}>
              {terms.requests}
              <span class="visually-hidden"> {fragments.grantOf(row.email)}</span>
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
      <TextField label={words.search} type="search" value={q} onValue={setQ} />
      <button type="submit" class="secondary">
        {actions.search}
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
      title={terms.accounts}
      actions={
        <>
          <Button onClick={() => ask('refund')}>{words.refundTitle}</Button>
          <Button kind="primary" onClick={() => ask('create')}>
            {actions.createAccount}
          </Button>
        </>
      }
    >
      {said && <Notice kind="good" title={said} />}
      <Search onSearch={setQ} />
      <ProblemNotice problem={problem} again={() => void load(null)} />
      <section class="card" aria-busy={busy} hidden={shown === null && !busy}>
        {shown === null && busy && <Loading what={terms.accounts} />}
        {shown && (
          <Table
            caption={terms.accounts}
            columns={columnsOf(ask)}
            rows={shown.rows}
            empty={<Empty title={q ? words.unmatched(q) : words.empty} />}
          />
        )}
        {shown?.next && <More verb={actions.showMore} onClick={() => void load(shown.next)} />}
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
