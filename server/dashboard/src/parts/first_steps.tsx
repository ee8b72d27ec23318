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
        <Step done={seen !== null} title={seen ? words.seen : words.waiting}>
          <p role="status">
            {seen ? (
              <>
                <Message text={words.seenHelp(seen.endpoint, seen.status, seen.elapsed_ms)} />{' '}
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
