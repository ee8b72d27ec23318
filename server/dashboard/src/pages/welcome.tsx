// The first minutes: the first keys, shown this once, and a first call with them.
import {useEffect, useRef, useState} from 'preact/hooks';
import {call} from '../api/calls';
import {problemOf, type Problem} from '../api/http';
import type {ApiKey} from '../api/types';
import {useReference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {Secret} from '../parts/controls';
import {FirstSteps} from '../parts/first_steps';
import {Loading, Notice, ProblemNotice} from '../parts/notice';

interface Made {
  live: string | null;
  test: string | null;
}

async function make(mode: 'live' | 'test', name: string) {
  const answer = await call<ApiKey>('account/keys/create', {mode, name});
  return answer.body.data.key ?? null;
}

/** Only for an account without any key: coming back here makes no more of them. */
async function makeFirstKeys(tell: (made: Made) => void): Promise<void> {
  const listed = await call<ApiKey[]>('account/keys/list', {limit: 1});
  if (listed.body.data.length > 0) return tell({live: null, test: null});
  const live = await make('live', 'First key');
  tell({live, test: null});
  tell({live, test: await make('test', 'Sandbox')});
}

export function WelcomePage() {
  const {reference} = useReference();
  const [made, setMade] = useState<Made | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [copied, setCopied] = useState(false);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    makeFirstKeys(setMade).catch(failure => setProblem(problemOf(failure)));
  }, []);
  const shown = made?.live ?? made?.test;
  return (
    <Page title="Welcome" lead="Your account is ready.">
      <ProblemNotice problem={problem} />
      {made === null && problem === null && <Loading what="your first keys" />}
      {shown && (
        <section class="card">
          <h2>Your keys</h2>
          <Notice kind="warn" title="They are shown this once">
            <p>Only a hash of them is kept. Copy them to where your secrets are.</p>
          </Notice>
          {made?.live && (
            <>
              <h3>Live key</h3>
              <p class="help">Real sources; a call that succeeds costs what its page says.</p>
              <Secret value={made.live} label="Live key" onCopied={() => setCopied(true)} />
            </>
          )}
          {made?.test && (
            <>
              <h3>Test key</h3>
              <p class="help">The sandbox: recorded answers, no network, 0 credits.</p>
              <Secret value={made.test} label="Test key" onCopied={() => setCopied(true)} />
            </>
          )}
        </section>
      )}
      {made && !shown && (
        <Notice title="Your account has keys already">
          <p>
            They were shown when they were made.{' '}
            <Link href="/dashboard/keys">Create another</Link> if you have lost them.
          </p>
        </Notice>
      )}
      {made && (
        <FirstSteps
          baseUrl={reference?.baseUrl ?? location.origin}
          testKey={made.test}
          keysCopied={copied || !shown}
        />
      )}
    </Page>
  );
}
