// Every endpoint, tried here: platforms as tabs, one large field, the rest folded, the price before
// the call, and the answer below. The call stands in the address, so that it can be shared and is
// there again after a reload; what was filled in and what was answered stay when a call fails.
import {useEffect, useId, useMemo, useRef, useState} from 'preact/hooks';
import {useReference, type Reference} from '../app/reference';
import {Link, useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {bodyOf, valuesOf, type Values} from '../data/form';
import type {Endpoint} from '../data/openapi';
import {platformName} from '../data/platforms';
import {keepCalls, readCalls, withCall, type RecentCall} from '../data/recent';
import {bodyIn, playgroundOf} from '../data/requests';
import {useEnds} from '../parts/ends';
import {Prose} from '../parts/markdown';
import {Loading, ProblemNotice} from '../parts/notice';
import {Time} from '../parts/time';
import {AnswerView} from './answer';
import {CallForm} from './call_form';
import {splitForm, useAnswer, useQuote} from './calling';
import {playground as words, terms} from '../words';

const firstEndpoint = 'all/search';

/** Account calls have pages of their own; what changes keys or sends mail is better done there. */
function tryable(reference: Reference): Endpoint[] {
  return reference.endpoints.filter(
    one => !/^account\/(keys\/(create|rotate|revoke)|requests\/show|alerts\/test)$/.test(one.path),
  );
}

/** Of each platform the search leads, which most people come for. */
function firstOf(endpoints: readonly Endpoint[], platform: string): Endpoint | undefined {
  const own = endpoints.filter(one => one.platform === platform);
  return own.find(one => one.path === `${platform}/search`) ?? own[0];
}

function Chooser({endpoints, chosen}: {endpoints: Endpoint[]; chosen: Endpoint}) {
  const {go} = useRouter();
  const id = useId();
  const platforms = [...new Set(endpoints.map(one => one.platform))];
  const own = endpoints.filter(one => one.platform === chosen.platform);
  const row = useRef<HTMLElement>(null);
  useEnds(row, platforms.length);
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current]');
    current?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }, [chosen.platform]);
  return (
    <>
      <nav class="platforms" aria-label={terms.platforms} ref={row}>
        {platforms.map(name => (
          <Link
            key={name}
            href={`/dashboard/playground/${firstOf(endpoints, name)?.path ?? ''}`}
            aria-current={name === chosen.platform ? 'page' : undefined}
          >
            {platformName(name)}
          </Link>
        ))}
      </nav>
      <div class="chooser">
        <label for={id}>{terms.endpoint}</label>
        <select
          id={id}
          value={chosen.path}
          onChange={event => go(`/dashboard/playground/${event.currentTarget.value}`)}
        >
          {own.map(one => (
            <option key={one.path} value={one.path}>
              {one.path}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

function Recent({calls}: {calls: readonly RecentCall[]}) {
  if (calls.length === 0) return null;
  return (
    <section class="card" aria-label={words.recent}>
      <h2>{words.recent}</h2>
      <ul class="recent">
        {calls.map(one => (
          <li key={one.at + one.endpoint}>
            <Link
              href={playgroundOf(
                one.endpoint,
                one.sandbox ? 'test' : 'live',
                JSON.stringify(one.body),
              )}
            >
              {one.endpoint}
            </Link>{' '}
            <code class="recent-body">{JSON.stringify(one.body)}</code>{' '}
            <span class={one.ok ? 'muted' : 'bad-text'}>{one.said}</span>{' '}
            <Time at={one.at} relative />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TryoutProps {
  endpoint: Endpoint;
  reference: Reference;
  values: Values;
  setValues(change: (before: Values) => Values): void;
  sandbox: boolean;
  setSandbox(on: boolean): void;
  /** Whether the address says that the call was made: it is made again where it costs nothing. */
  again: boolean;
}

function Tryout({endpoint, reference, values, setValues, again, ...rest}: TryoutProps) {
  const {go} = useRouter();
  const {session} = useSession();
  const account = session?.account?.id ?? '';
  const form = useMemo(() => splitForm(endpoint), [endpoint]);
  const {answer, problem, busy, run} = useAnswer(endpoint);
  const [calls, setCalls] = useState(() => readCalls(account));
  const result = useRef<HTMLDivElement>(null);
  const body = bodyOf(form.all, values);
  // An account call costs nothing anyway, and the sandbox has no account of its own.
  const isAccount = endpoint.platform === 'account';
  const sandbox = rest.sandbox && !isAccount;
  const quote = useQuote(endpoint, body, values, sandbox);
  const make = async () => {
    const mode = rest.sandbox ? 'test' : 'live';
    go(`${playgroundOf(endpoint.path, mode, JSON.stringify(body))}&ran=1`, true);
    const ended = await run(body, sandbox, null);
    if (ended === null) return;
    const one = {endpoint: endpoint.path, sandbox: rest.sandbox, body, ...ended};
    const next = withCall(calls, {...one, at: new Date().toISOString()});
    setCalls(next);
    keepCalls(account, next);
    const top = result.current?.getBoundingClientRect().top ?? 0;
    if (top > innerHeight * 0.6) result.current?.scrollIntoView({block: 'start'});
  };
  useEffect(() => {
    if (again && sandbox) void run(body, sandbox, null);
  }, []);
  return (
    <div class="playground">
      <section class="card" aria-label={terms.parameters}>
        <p class="help">
          <Prose text={`${endpoint.summary}. ${endpoint.description}`} />{' '}
          <Link href={`/docs/${endpoint.path}`}>{terms.reference}</Link>
        </p>
        <CallForm
          {...{endpoint, form, values, setValues, problem, quote, busy, isAccount}}
          sandbox={rest.sandbox}
          setSandbox={rest.setSandbox}
          onRun={() => void make()}
        />
      </section>
      <div ref={result} class="answer-place">
        <AnswerView
          answer={answer}
          busy={busy}
          endpoint={endpoint}
          body={body}
          baseUrl={reference.baseUrl}
          more={() => answer && void run(answer.body, answer.sandbox, answer)}
        />
      </div>
      <Recent calls={calls} />
    </div>
  );
}

/** What is filled in, of every endpoint, so that going to another and back loses nothing. */
function useFilled(endpoint: Endpoint | undefined) {
  const [filled, setFilled] = useState<Record<string, Values>>({});
  const [sandbox, setSandbox] = useState(true);
  const {query} = useRouter();
  const given = query.get('body');
  const mode = query.get('mode');
  const path = endpoint?.path ?? '';
  // What the address says to fill in is there before anything is drawn with it.
  const taken = useRef('');
  const address = JSON.stringify([path, given, mode]);
  const body = taken.current === address ? null : bodyIn(given);
  const isSandboxed = taken.current === address || !mode ? sandbox : mode !== 'live';
  const values = body ? valuesOf(body) : (filled[path] ?? valuesOf(endpoint?.example ?? {}));
  useEffect(() => {
    taken.current = address;
    if (body) setFilled(before => ({...before, [path]: valuesOf(body)}));
    if (mode) setSandbox(mode !== 'live');
  }, [address]);
  const setValues = (change: (before: Values) => Values) =>
    setFilled(before => ({...before, [path]: change(before[path] ?? values)}));
  return {values, setValues, sandbox: isSandboxed, setSandbox, again: query.has('ran')};
}

export function PlaygroundPage({endpoint}: {endpoint: string}) {
  const {reference, problem, again} = useReference();
  const endpoints = useMemo(() => (reference ? tryable(reference) : []), [reference]);
  const wanted = endpoint || firstEndpoint;
  const chosen = endpoints.find(one => one.path === wanted) ?? endpoints[0];
  const filled = useFilled(chosen);
  if (reference === null || !chosen) {
    return (
      <Page title={terms.playground}>
        <ProblemNotice problem={problem} again={again} />
        {problem === null && <Loading what={words.catalogue} />}
      </Page>
    );
  }
  return (
    <Page title={terms.playground} lead={words.lead}>
      <Chooser endpoints={endpoints} chosen={chosen} />
      <Tryout key={chosen.path} endpoint={chosen} reference={reference} {...filled} />
    </Page>
  );
}
