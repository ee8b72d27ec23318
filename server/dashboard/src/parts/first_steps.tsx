// The first steps with a tick for each that is done: keys copied, the call copied, and the call as
// this server has seen it.
import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {call} from '../api/calls';
import type {RequestRow} from '../api/types';
import {Link} from '../app/router';
import {useNewCalls} from '../app/watch';
import {number} from '../data/format';
import {snippetsOf} from '../data/snippets';
import {Code} from './controls';

/** Far more than a person's own page has between two looks. */
const rowsLookedAt = 20;

/** The newest call that was made with a key; null until there is one. */
function useFirstCall(): RequestRow | null {
  const [seen, setSeen] = useState<RequestRow | null>(null);
  const look = async () => {
    if (seen !== null) return;
    // What fails is asked again with the next call: nobody waits for this alone.
    const answer = await call<RequestRow[]>(
      'account/requests/list',
      {limit: rowsLookedAt},
      {quiet: true},
    ).catch(() => null);
    const found = answer?.body.data.find(row => row.key_id !== 'dashboard');
    if (found) setSeen(found);
  };
  useEffect(() => void look(), []);
  useNewCalls(() => void look());
  return seen;
}

interface StepProps {
  done: boolean;
  title: string;
  children: ComponentChildren;
}

function Step({done, title, children}: StepProps) {
  return (
    <li class={done ? 'step done' : 'step'}>
      <h3>
        {title}
        <span class="visually-hidden">{done ? ' – done' : ' – to do'}</span>
      </h3>
      {children}
    </li>
  );
}

interface Props {
  baseUrl: string;
  /** While it is shown anyway, so that the call can be pasted as it is. */
  testKey: string | null;
  keysCopied: boolean;
}

export function FirstSteps({baseUrl, testKey, keysCopied}: Props) {
  const seen = useFirstCall();
  const [callCopied, setCallCopied] = useState(false);
  const [curl] = snippetsOf({
    baseUrl,
    endpoint: 'forum/search',
    operation: 'forum_search',
    list: true,
    body: {q: 'climate', limit: 3},
  });
  return (
    <section class="card" aria-label="First steps">
      <h2>Your first call</h2>
      <ol class="steps">
        <Step done={keysCopied || seen !== null} title="Copy a key">
          <p>
            The test key reaches the sandbox: recorded answers, no network, no credits. The live key
            reaches the sources.
          </p>
        </Step>
        <Step done={callCopied || seen !== null} title="Run this">
          <Code
            text={`export FRESHET_API_KEY=${testKey ?? 'frs_test_…'}\n${curl?.text ?? ''}`}
            label="First call"
            onCopied={() => setCallCopied(true)}
          />
        </Step>
        <Step done={seen !== null} title={seen ? 'We see your call' : 'Waiting for your call'}>
          <p role="status">
            {seen ? (
              <>
                <code>{seen.endpoint}</code> was answered with {seen.status} in{' '}
                {number(seen.elapsed_ms)} ms.{' '}
                <Link href={`/dashboard/requests?id=${encodeURIComponent(seen.id)}`}>Open it</Link>
              </>
            ) : (
              'It appears here a moment after you run it.'
            )}
          </p>
        </Step>
      </ol>
      <p>
        Or try every endpoint in the <Link href="/dashboard/playground">playground</Link>, without a
        key.
      </p>
    </section>
  );
}
