// The ledger, verified by whom it belongs to: every entry is replayed by the server, in parts, and
// held against a head that was kept.
import {useState} from 'preact/hooks';
import {call} from '../api/calls';
import type {LedgerVerification} from '../api/types';
import {Secret} from '../parts/controls';
import {TextField} from '../parts/field';
import {FormOf, useForm} from '../parts/form';
import {Notice} from '../parts/notice';
import {actions, ledger as words} from '../words';

const endpoint = 'account/ledger/verify';

/** All parts together; `progress` hears how many entries were read so far. */
async function verifyAll(known: string, progress: (entries: number) => void) {
  let after = known.trim();
  for (let entries = 0; ;) {
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
      <Notice kind="bad" title={words.broken}>
        <ul>
          {made.findings.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>{words.brokenHelp}</p>
      </Notice>
    );
  }
  return (
    <Notice kind="good" title={words.verified(made.entries)}>
      <p>{words.verifiedHelp(made.balance)}</p>
      {made.head && (
        <>
          <p>{words.headHelp}</p>
          <Secret value={made.head} label={words.head} />
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
      <h2 id="verification">{words.verify}</h2>
      <FormOf of={form} label={actions.verifyLedger} verb={actions.verifyLedger}>
        <TextField
          label={words.knownHead}
          help={words.knownHeadHelp}
          optional
          {...form.bind('known_head')}
        />
      </FormOf>
      <div aria-live="polite">
        {form.busy && read > 0 && <p>{words.soFar(read)}</p>}
        {made && <Outcome made={made} />}
      </div>
    </section>
  );
}
