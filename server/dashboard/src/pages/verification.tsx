// The ledger, verified by whom it belongs to: every entry is replayed by the server, in parts, and
// held against a head that was kept.
import {useState} from 'preact/hooks';
import {call} from '../api/calls';
import type {LedgerVerification} from '../api/types';
import {counted, number} from '../data/format';
import {Secret} from '../parts/controls';
import {TextField} from '../parts/field';
import {FormOf, useForm} from '../parts/form';
import {Notice} from '../parts/notice';

const endpoint = 'account/ledger/verify';

/** All parts together; `progress` hears how many entries were read so far. */
async function verifyAll(known: string, progress: (entries: number) => void) {
  let after = known.trim();
  for (let entries = 0; ; ) {
    const {body} = await call<LedgerVerification>(endpoint, after ? {known_head: after} : {});
    entries += body.data.entries;
    progress(entries);
    if (body.data.complete || !body.data.ok) return {...body.data, entries};
    after = body.data.head ?? '';
  }
}

function Outcome({made}: {made: LedgerVerification}) {
  if (!made.ok) {
    return (
      <Notice kind="bad" title="This is not what was booked">
        <ul>
          {made.findings.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>Tell the operator, with these lines.</p>
      </Notice>
    );
  }
  return (
    <Notice kind="good" title={`${counted(made.entries, 'entry', 'entries')} verified`}>
      <p>All is as it was booked; the balance is {number(made.balance)}.</p>
      {made.head && (
        <>
          <p>Keep this head: with it the next verification proves that nothing was written anew.</p>
          <Secret value={made.head} label="head" />
        </>
      )}
    </Notice>
  );
}

export function Verification() {
  const [made, setMade] = useState<LedgerVerification | null>(null);
  const [read, setRead] = useState(0);
  const form = useForm({known_head: ''}, async ({known_head}) => {
    setMade(null);
    setRead(0);
    setMade(await verifyAll(known_head, setRead));
  });
  return (
    <section class="card" aria-labelledby="verification">
      <h2 id="verification">Verify it</h2>
      <FormOf of={form} label="Verify the ledger" verb="Verify the ledger">
        <TextField
          label="A head that you have kept"
          help="From the last time; only the entries behind it are read."
          optional
          {...form.bind('known_head')}
        />
      </FormOf>
      <div aria-live="polite">
        {form.busy && read > 0 && <p>{counted(read, 'entry', 'entries')} so far…</p>}
        {made && <Outcome made={made} />}
      </div>
    </section>
  );
}
