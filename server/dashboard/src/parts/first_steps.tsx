// The first steps with a tick for each that is done: keys copied, the call copied, and the call as
// this server has seen it.
import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {call} from '../api/calls';
import type {RequestRow} from '../api/types';
import {Link} from '../app/router';
import {useNewCalls} from '../app/watch';
import {snippetsOf, withKey} from '../data/snippets';
import {Code} from './controls';
import {Message} from './message';
import {actions, firstSteps as words, terms} from '../words';

/** Far more than a person's own page has between two looks. */
const rowsLookedAt = 20;

/** The newest of the account's calls with a key, of those that ended so. */
async function callsThatEnded(status: 'ok' | 'failed'): Promise<RequestRow[]> {
  const asked = {limit: rowsLookedAt, status};
  const answer = await call<RequestRow[]>('account/requests/list', asked, {quiet: true});
  return answer.body.data.filter(row => row.key_id !== 'dashboard');
}

/** The first call that succeeded, and until there is one the latest; null until there is any. */
function useFirstCall(): RequestRow | null {
  const [seen, setSeen] = useState<RequestRow | null>(null);
  const look = async () => {
    if (seen?.code === null) return;
    // What fails is asked again with the next call: nobody waits for this alone.
    const good = await callsThatEnded('ok').catch(() => []);
    const bad = good.length > 0 ? [] : await callsThatEnded('failed').catch(() => []);
    const found = good.at(-1) ?? bad[0];
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
        <span class="visually-hidden"> – {done ? terms.done : words.todo}</span>
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
  const succeeded = seen !== null && seen.code === null;
  const [callCopied, setCallCopied] = useState(false);
  const [curl] = snippetsOf({
    baseUrl,
    endpoint: 'forum/search',
    operation: 'forum_search',
    list: true,
    body: {q: 'climate', limit: 3},
  });
  return (
    <section class="card" aria-label={words.name}>
      <h2>{words.title}</h2>
      <ol class="steps">
        <Step done={keysCopied || seen !== null} title={actions.copyKey}>
          <p>{words.which}</p>
        </Step>
        <Step done={callCopied || seen !== null} title={words.run}>
          <Code
            text={withKey(testKey, curl?.text ?? '')}
            label={words.code}
            onCopied={() => setCallCopied(true)}
          />
        </Step>
        <Step
          done={succeeded}
          title={seen === null ? words.waiting : succeeded ? words.seen : words.failed}
        >
          <p role="status">
            {seen ? (
              <>
                <Message
                  text={
                    seen.code === null
                      ? words.seenHelp(seen.endpoint, seen.status, seen.elapsed_ms)
                      : words.failedHelp(seen.endpoint, seen.status, seen.code)
                  }
                />{' '}
                <Link href={`/dashboard/requests?id=${encodeURIComponent(seen.id)}`}>
                  {actions.openCall}
                </Link>
              </>
            ) : (
              words.waitingHelp
            )}
          </p>
        </Step>
      </ol>
      <p>
        <Message text={words.playground} />
      </p>
    </section>
  );
}
