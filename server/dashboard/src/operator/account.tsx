// One account as its operator needs it: what it used, its movements with a refund from the row, its
// keys, and what was changed about it.
import {useState} from 'preact/hooks';
import type {AuditEntry, LedgerEntry, OperatorAccount} from '../api/types';
import {useLoaded} from '../app/loading';
import {Link, useRouter} from '../app/router';
import {Page} from '../app/shell';
import {credits, number, signed} from '../data/format';
import {Dialog, RowAction, Tabs} from '../parts/controls';
import {TextField} from '../parts/field';
import {DialogForm, useForm} from '../parts/form';
import {Empty, LoadedView, Notice} from '../parts/notice';
import {Facts, Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {auditColumns} from './audit';
import {command} from './command';
import {AccountKeys} from './keys';

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
    whenDone(`${credits(done.credits)} given back; the balance is ${number(done.balance)}`);
    onClose();
  });
  const amount = Number(form.values.credits);
  return (
    <Dialog title={`Refund ${entry.endpoint ?? entry.id}`} onClose={onClose}>
      <DialogForm of={form} label="Refund" verb="Refund the call" onClose={onClose}>
        <TextField
          label="Credits"
          inputMode="numeric"
          required
          help={`The call was charged ${credits(charged)}.`}
          {...form.bind('credits')}
        />
        <TextField label="Reason" required {...form.bind('reason')} />
        <p class="help" role="status">
          {Number.isInteger(amount) && amount > 0
            ? `${email} gets ${credits(amount)} back, and an entry in the ledger.`
            : 'Give a whole number above 0.'}
        </p>
      </DialogForm>
    </Dialog>
  );
}

function ledgerColumns(refund: (entry: LedgerEntry) => void): Column<LedgerEntry>[] {
  return [
    {name: 'Kind', cell: row => <span class={`badge ${row.kind}`}>{row.kind}</span>},
    {
      name: 'What',
      cell: row => (
        <>
          {row.endpoint ?? row.reason ?? '–'}
          {row.request_id && <code class="below">{row.request_id}</code>}
        </>
      ),
    },
    {name: 'When', cell: row => <Time at={row.created_at} relative />},
    {name: 'Credits', cell: row => signed(row.amount), numeric: true},
    {name: 'Balance', cell: row => number(row.balance), numeric: true},
    {
      name: 'Actions',
      cell: row =>
        row.kind === 'usage' ? (
          <RowAction verb="Refund" of={row.id} onClick={() => refund(row)} />
        ) : (
          <span class="muted">–</span>
        ),
    },
  ];
}

/** Credits by endpoint, the most first. */
function usedBy(entries: readonly LedgerEntry[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const one of entries) {
    if (one.kind !== 'usage' || !one.endpoint) continue;
    sums.set(one.endpoint, (sums.get(one.endpoint) ?? 0) - one.amount);
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
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
      <LoadedView of={loaded} what="the ledger">
        {rows => {
          const used = usedBy(rows);
          return (
            <>
              {used.length > 0 && (
                <Facts facts={used.map(([name, amount]) => [name, credits(amount)])} />
              )}
              <Table
                caption={`Ledger of ${email}`}
                lines
                columns={ledgerColumns(setAsked)}
                rows={rows}
                empty={<Empty title="No movements" />}
              />
            </>
          );
        }}
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

function Audit({email}: {email: string}) {
  const loaded = useLoaded(
    async () =>
      (await command<{entries: AuditEntry[]}>('audit.list', {limit: rowsLookedAt})).entries,
    [],
  );
  const isAbout = (row: AuditEntry) =>
    (row.subject ?? '').includes(email) || row.actor.includes(email);
  return (
    <LoadedView of={loaded} what="the log">
      {rows => (
        <Table
          caption={`Audit log of ${email}`}
          columns={auditColumns}
          rows={rows.filter(isAbout)}
          empty={<Empty title="Nothing was changed of late" />}
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
      title="Account"
      lead={email}
      actions={
        <Link
          class="button secondary"
          href={`/dashboard/operator/requests?email=${encodeURIComponent(email)}`}
        >
          Requests
        </Link>
      }
    >
      <LoadedView of={account} what="the account">
        {known =>
          known === null ? (
            <Empty title="There is no such account" />
          ) : (
            <>
              <section class="card">
                <Facts
                  facts={[
                    ['Plan', known.plan],
                    ['Balance', credits(known.balance)],
                    ['Since', <Time at={known.created_at} />],
                    ['Operator', known.operator ? 'yes' : 'no'],
                    ['Address', known.email_verified ? 'verified' : 'not verified'],
                    ['Id', <code class="long">{known.id}</code>],
                  ]}
                />
              </section>
              <section class="card">
                <Tabs
                  label="Of this account"
                  tabs={[
                    {name: 'Ledger', content: () => <Ledger email={email} />},
                    {name: 'Keys', content: () => <AccountKeys email={email} />},
                    {name: 'Audit log', content: () => <Audit email={email} />},
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
