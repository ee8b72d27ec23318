// One account as its operator needs it: what it used, its movements with a refund from the row, its
// keys, and what was changed about it.
import {useState} from 'preact/hooks';
import type {ApiKey, AuditEntry, LedgerEntry, OperatorAccount, UsageRow} from '../api/types';
import {useLoaded} from '../app/loading';
import {Link, useRouter} from '../app/router';
import {Page} from '../app/shell';
import {number, signed} from '../data/format';
import {Dialog, RowAction, Tabs} from '../parts/controls';
import {TextField} from '../parts/field';
import {DialogForm, useForm} from '../parts/form';
import {Empty, LoadedView, Notice} from '../parts/notice';
import {Facts, Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {namesOf, UsageReport} from '../parts/usage_report';
import {auditColumns} from './audit';
import {command} from './command';
import {AccountKeys} from './keys';
import {accounts as words, actions, audit, counted, terms} from '../words';

const rowsLookedAt = 500;

interface RefundProps {
  entry: LedgerEntry;
  email: string;
  onClose(): void;
  whenDone(said: string): void;
}

/** What comes of it stands there before it is done. */
function RefundDialog({entry, email, onClose, whenDone}: RefundProps) {
  const charged = -entry.amount;
  const form = useForm({credits: String(charged), reason: ''}, async values => {
    const done = await command<{credits: number; balance: number}>('credits.refund', {
      request_id: entry.id,
      credits: Number(values.credits),
      reason: values.reason,
    });
    whenDone(words.givenBack(done.credits, done.balance));
    onClose();
  });
  const amount = Number(form.values.credits);
  return (
    <Dialog title={words.refundOf(entry.endpoint ?? entry.id)} onClose={onClose}>
      <DialogForm of={form} label={actions.refund} verb={actions.refundCall} onClose={onClose}>
        <TextField
          label={terms.credits}
          inputMode="numeric"
          required
          help={words.charged(charged)}
          {...form.bind('credits')}
        />
        <TextField label={terms.reason} required {...form.bind('reason')} />
        <p class="help" role="status">
          {Number.isInteger(amount) && amount > 0
            ? words.preview(email, amount)
            : words.previewWrong}
        </p>
      </DialogForm>
    </Dialog>
  );
}

function ledgerColumns(refund: (entry: LedgerEntry) => void): Column<LedgerEntry>[] {
  return [
    {name: terms.kind, cell: row => <span class={`badge ${row.kind}`}>{row.kind}</span>},
    {
      name: terms.what,
      cell: row => (
        <>
          {row.endpoint ?? row.reason ?? '–'}
          {row.request_id && <code class="below">{row.request_id}</code>}
        </>
      ),
    },
    {name: terms.when, cell: row => <Time at={row.created_at} relative />},
    {name: terms.credits, cell: row => signed(row.amount), numeric: true},
    {name: terms.balance, cell: row => number(row.balance), numeric: true},
    {
      name: terms.actions,
      cell: row =>
        row.kind === 'usage' ? (
          <RowAction verb={actions.refund} of={row.id} onClick={() => refund(row)} />
        ) : (
          <span class="muted">–</span>
        ),
    },
  ];
}

function Ledger({email}: {email: string}) {
  const [asked, setAsked] = useState<LedgerEntry | null>(null);
  const [said, setSaid] = useState('');
  const loaded = useLoaded(
    async () =>
      (await command<{entries: LedgerEntry[]}>('ledger.list', {email, limit: rowsLookedAt}))
        .entries,
    [email],
  );
  return (
    <>
      {said && <Notice kind="good" title={said} />}
      <LoadedView of={loaded} what={terms.ledger}>
        {rows => (
          <Table
            caption={words.ledgerOf(email)}
            lines
            columns={ledgerColumns(setAsked)}
            rows={rows}
            empty={<Empty title={words.noEntries} />}
          />
        )}
      </LoadedView>
      {asked && (
        <RefundDialog
          entry={asked}
          email={email}
          onClose={() => setAsked(null)}
          whenDone={done => {
            setSaid(done);
            loaded.again();
          }}
        />
      )}
    </>
  );
}

/** Every page of it: they are few, a row for each day and part. */
async function usageOf(email: string, asked: object): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  let cursor: string | null = null;
  do {
    const more: object = cursor === null ? {} : {cursor};
    const page: {usage: UsageRow[]; next_cursor: string | null} = await command('usage.show', {
      email,
      ...asked,
      ...more,
    });
    rows.push(...page.usage);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

function Usage({email}: {email: string}) {
  return (
    <UsageReport
      title={terms.usage}
      read={asked => usageOf(email, asked)}
      keyNames={async () => namesOf((await command<{keys: ApiKey[]}>('keys.list', {email})).keys)}
    />
  );
}

function Audit({email}: {email: string}) {
  const loaded = useLoaded(
    async () =>
      (await command<{entries: AuditEntry[]}>('audit.list', {email, limit: rowsLookedAt})).entries,
    [email],
  );
  return (
    <LoadedView of={loaded} what={terms.auditLog}>
      {rows => (
        <Table
          caption={audit.logOf(email)}
          columns={auditColumns}
          rows={rows}
          empty={<Empty title={audit.empty} />}
        />
      )}
    </LoadedView>
  );
}

export function AccountOfPage() {
  const email = useRouter().query.get('email') ?? '';
  const account = useLoaded(async () => {
    const {accounts} = await command<{accounts: OperatorAccount[]}>('accounts.list', {q: email});
    return accounts.find(one => one.email === email) ?? null;
  }, [email]);
  return (
    <Page
      title={terms.account}
      lead={email}
      actions={
        <Link
          class="button secondary"
          href={`/dashboard/operator/requests?email=${encodeURIComponent(email)}`}
        >
          {terms.requests}
        </Link>
      }
    >
      <LoadedView of={account} what={terms.account}>
        {known =>
          known === null ? (
            <Empty title={words.missing} />
          ) : (
            <>
              <section class="card">
                <Facts
                  facts={[
                    [terms.plan, known.plan],
                    [terms.balance, counted.credits(known.balance)],
                    [terms.since, <Time at={known.created_at} />],
                    [terms.operator, known.operator ? terms.yes : terms.no],
                    [terms.address, known.email_verified ? terms.verified : terms.notVerified],
                    [terms.id, <code class="long">{known.id}</code>],
                  ]}
                />
              </section>
              <section class="card">
                <Tabs
                  label={words.parts}
                  tabs={[
                    {name: terms.usage, content: () => <Usage email={email} />},
                    {name: terms.ledger, content: () => <Ledger email={email} />},
                    {name: terms.keys, content: () => <AccountKeys email={email} />},
                    {name: terms.auditLog, content: () => <Audit email={email} />},
                  ]}
                />
              </section>
            </>
          )
        }
      </LoadedView>
    </Page>
  );
}
