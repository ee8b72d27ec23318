// The first minutes: the first keys, shown this once, and a first call with them.
import {useEffect, useRef, useState} from 'preact/hooks';
import {call} from '../api/calls';
import {inTime, problemOf, type Problem} from '../api/http';
import type {ApiKey} from '../api/types';
import {useReference} from '../app/reference';
import {Page} from '../app/shell';
import {Secret} from '../parts/controls';
import {FirstSteps} from '../parts/first_steps';
import {Loading, Notice, ProblemNotice} from '../parts/notice';
import {Message} from '../parts/message';
import {firstSteps as words, terms} from '../words';

interface Made {
  live: string | null;
  test: string | null;
}

async function make(mode: 'live' | 'test', name: string) {
  const answer = await inTime(() => call<ApiKey>('account/keys/create', {mode, name}));
  return answer.body.data.key ?? null;
}

/** Only for an account without any key: coming back here makes no more of them. */
async function makeFirstKeys(tell: (made: Made) => void): Promise<void> {
  const listed = await inTime(() => call<ApiKey[]>('account/keys/list', {limit: 1}));
  if (listed.body.data.length > 0) return tell({live: null, test: null});
  const live = await make('live', words.liveKeyName);
  tell({live, test: null});
  tell({live, test: await make('test', terms.sandbox)});
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
    <Page title={terms.welcome} lead={words.lead}>
      <ProblemNotice problem={problem} />
      {made === null && problem === null && <Loading what={terms.yourKeys} />}
      {shown && (
        <section class="card">
          <h2>{terms.yourKeys}</h2>
          <Notice kind="warn" title={words.keysShownOnce}>
            <p>{words.keyHashes}</p>
          </Notice>
          {made?.live && (
            <>
              <h3>{terms.liveKey}</h3>
              <p class="help">{words.liveHelp}</p>
              <Secret value={made.live} label={terms.liveKey} onCopied={() => setCopied(true)} />
            </>
          )}
          {made?.test && (
            <>
              <h3>{terms.testKey}</h3>
              <p class="help">{words.testHelp}</p>
              <Secret value={made.test} label={terms.testKey} onCopied={() => setCopied(true)} />
            </>
          )}
        </section>
      )}
      {made && !shown && (
        <Notice title={words.haveKeys}>
          <p>
            <Message text={words.haveKeysHelp} />
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
