// Replaying the ledger: whether the balances, the sum of zero and the chain of hashes hold.
import {useState} from 'preact/hooks';
import {useAttempt} from '../app/loading';
import {Page} from '../app/shell';
import {labelOf} from '../data/form';
import {number} from '../data/format';
import {Button} from '../parts/controls';
import {Notice, ProblemNotice} from '../parts/notice';
import {Facts} from '../parts/table';
import {command} from './command';
import {actions, operator as words, terms} from '../words';

type Report = {ok: boolean} & Record<string, unknown>;

function shown(value: unknown): string {
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return value.length === 0 ? terms.none : value.map(shown).join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function VerificationPage() {
  const [report, setReport] = useState<Report | null>(null);
  const {problem, busy, attempt} = useAttempt();
  const verify = () => attempt(async () => setReport(await command<Report>('ledger.verify')));
  const facts = Object.entries(report ?? {}).filter(([name]) => name !== 'ok');
  return (
    <Page title={terms.verification} lead={words.verificationLead}>
      <section class="card" aria-busy={busy}>
        <ProblemNotice problem={problem} />
        {report && (
          <Notice
            kind={report.ok ? 'good' : 'bad'}
            title={report.ok ? words.sound : words.unsound}
          />
        )}
        {facts.length > 0 && (
          <Facts facts={facts.map(([name, value]) => [labelOf(name), shown(value)])} />
        )}
        <div class="form-foot">
          <Button kind="primary" aria-disabled={busy} onClick={() => void (busy || verify())}>
            {busy ? words.verifying : actions.verifyLedger}
          </Button>
        </div>
      </section>
    </Page>
  );
}
