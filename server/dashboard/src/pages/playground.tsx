// Every endpoint, tried here: a form from the catalogue, the price before the call, the answer as
// items, as JSON and as code. What was filled in and what was answered stay when a call fails.
import {useEffect, useId, useMemo, useState} from 'preact/hooks';
import {call} from '../api/calls';
import {problemOf, type Problem} from '../api/http';
import type {Envelope} from '../api/types';
import {useAttempt} from '../app/loading';
import {useReference, type Reference} from '../app/reference';
import {Link, useRouter} from '../app/router';
import {Page} from '../app/shell';
import {bodyOf, formOf, isComplete, valuesOf, type Field, type Values} from '../data/form';
import {counted, credits} from '../data/format';
import type {Endpoint} from '../data/openapi';
import {bodyIn} from '../data/requests';
import {Button, Submit} from '../parts/controls';
import {Switch} from '../parts/field';
import {Form} from '../parts/form';
import type {Item} from '../parts/items';
import {Prose} from '../parts/markdown';
import {Loading, ProblemNotice} from '../parts/notice';
import {ParameterField} from '../parts/parameter';
import {AnswerView, type CallAnswer} from './answer';

const quoteDelayMs = 600;
const firstEndpoint = 'forum/search';

/** Account calls have pages of their own; those that change keys are better made there. */
function tryable(reference: Reference): Endpoint[] {
  return reference.endpoints.filter(
    one => !/^account\/(keys\/(create|rotate|revoke)|requests\/show)$/.test(one.path),
  );
}

function Chooser({endpoints, chosen}: {endpoints: Endpoint[]; chosen: string}) {
  const {go} = useRouter();
  const id = useId();
  const platforms = [...new Set(endpoints.map(one => one.platform))];
  return (
    <div class="chooser">
      <label for={id}>Endpoint</label>
      <select
        id={id}
        value={chosen}
        onChange={event => go(`/dashboard/playground/${event.currentTarget.value}`)}
      >
        {platforms.map(platform => (
          <optgroup key={platform} label={platform}>
            {endpoints
              .filter(one => one.platform === platform)
              .map(one => (
                <option key={one.path} value={one.path}>
                  {one.path}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

interface Quote {
  credits: number | null;
  problem: Problem | null;
}

/** What the call would cost: asked of the server, some time after the last keystroke. */
function useQuote(
  endpoint: Endpoint,
  body: Record<string, unknown>,
  sandbox: boolean,
  ask: boolean,
) {
  const [quote, setQuote] = useState<Quote>({credits: null, problem: null});
  const key = JSON.stringify(body);
  useEffect(() => {
    setQuote({credits: null, problem: null});
    if (!ask) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      call<unknown>(endpoint.path, {...body, dry_run: true}, {sandbox, signal: stop.signal})
        .then(answer => {
          const meta = answer.body.meta as {quote?: {credits: number}};
          setQuote({credits: meta.quote?.credits ?? null, problem: null});
        })
        .catch(failure => {
          if (!stop.signal.aborted) setQuote({credits: null, problem: problemOf(failure)});
        });
    }, quoteDelayMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [endpoint.path, key, sandbox, ask]);
  return quote;
}

function Price({quote, endpoint, sandbox}: {quote: Quote; endpoint: Endpoint; sandbox: boolean}) {
  const price = quote.credits ?? endpoint.credits;
  let text = quote.credits === null ? `Price: ${credits(price)}` : `This call: ${credits(price)}`;
  if (sandbox) text = 'Sandbox: 0 credits';
  else if (quote.problem?.errors?.length)
    text = 'The server would refuse this call; see the fields';
  else if (quote.problem) text = quote.problem.title;
  return (
    <p class="price" aria-live="polite">
      {text}
    </p>
  );
}

interface FieldsProps {
  fields: Field[];
  values: Values;
  set(name: string, value: string): void;
  error(name: string): string | undefined;
}

function Fields({fields, values, set, error}: FieldsProps) {
  return (
    <>
      {fields.map(field => (
        <ParameterField
          exact
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onValue={value => set(field.name, value)}
          error={error(field.name)}
        />
      ))}
    </>
  );
}

/** The last answer, its further pages, and the problem of the last attempt. */
function useAnswer(endpoint: Endpoint) {
  const [answer, setAnswer] = useState<CallAnswer | null>(null);
  const {problem, busy, attempt} = useAttempt();
  const run = async (
    body: Record<string, unknown>,
    sandbox: boolean,
    before: CallAnswer | null,
  ) => {
    if (busy) return;
    await attempt(async isLatest => {
      const cursor = before?.envelope.page?.next_cursor;
      const sent = cursor ? {...body, cursor} : body;
      const got = await call<Item | Item[] | null>(endpoint.path, sent, {sandbox});
      if (!isLatest()) return;
      const data = got.body.data;
      const items = Array.isArray(data) ? data : data === null ? [] : [data];
      setAnswer({
        envelope: got.body as Envelope<unknown>,
        items: [...(before?.items ?? []), ...items],
        list: Array.isArray(data),
        pages: (before?.pages ?? 0) + 1,
        spent: (before?.spent ?? 0) + got.creditsUsed,
        elapsedMs: got.elapsedMs,
        body,
        sandbox,
      });
    }, true);
  };
  return {answer, problem, busy, run};
}

interface TryoutProps {
  endpoint: Endpoint;
  reference: Reference;
  values: Values;
  setValues(change: (before: Values) => Values): void;
  sandbox: boolean;
  setSandbox(on: boolean): void;
}

function Tryout({endpoint, reference, values, setValues, ...rest}: TryoutProps) {
  const form = useMemo(() => formOf(endpoint), [endpoint]);
  const fields = [...form.main, ...form.more];
  const {answer, problem, busy, run} = useAnswer(endpoint);
  const body = bodyOf(fields, values);
  // An account call costs nothing anyway, and the sandbox has no account of its own.
  const isAccount = endpoint.platform === 'account';
  const sandbox = rest.sandbox && !isAccount;
  const quote = useQuote(endpoint, body, sandbox, isComplete(endpoint, values));
  const told = problem ?? quote.problem;
  const error = (name: string) =>
    told?.errors?.find(one => one.pointer.split('/')[1] === name)?.detail;
  const set = (name: string, value: string) => setValues(before => ({...before, [name]: value}));
  const names = fields.map(field => field.name);
  return (
    <div class="playground">
      <section class="card" aria-label="Parameters">
        <h2>Parameters</h2>
        <p class="help">
          <Prose text={`${endpoint.summary}. ${endpoint.description}`} />{' '}
          <Link href={`/docs/${endpoint.path}`}>Reference</Link>
        </p>
        <Form
          label="Call"
          problem={problem}
          fields={names}
          onSubmit={() => void run(body, sandbox, null)}
        >
          <Fields fields={form.main} {...{values, set, error}} />
          {form.more.length > 0 && (
            <details open={form.more.some(field => error(field.name)) || undefined}>
              <summary>{counted(form.more.length, 'more parameter')}</summary>
              <Fields fields={form.more} {...{values, set, error}} />
            </details>
          )}
          {!isAccount && (
            <Switch
              label="Sandbox"
              on={rest.sandbox}
              onChange={rest.setSandbox}
              help="Recorded answers, no network, 0 credits. Try climate, tides, “tide gauge”."
            />
          )}
          <Price quote={quote} endpoint={endpoint} sandbox={sandbox} />
          <div class="form-foot">
            <Submit busy={busy}>Make the call</Submit>
            <Button kind="plain" onClick={() => setValues(() => valuesOf(endpoint.example))}>
              Fill in the example
            </Button>
          </div>
        </Form>
      </section>
      <AnswerView
        answer={answer}
        busy={busy}
        endpoint={endpoint}
        body={body}
        baseUrl={reference.baseUrl}
        more={() => answer && void run(answer.body, answer.sandbox, answer)}
      />
    </div>
  );
}

export function PlaygroundPage({endpoint}: {endpoint: string}) {
  const {reference, problem, again} = useReference();
  // Of every endpoint, so that going to another and back loses nothing.
  const [filled, setFilled] = useState<Record<string, Values>>({});
  const [sandbox, setSandbox] = useState(true);
  const {query} = useRouter();
  // What the address says to fill in: a call of the request log, to be made again.
  const given = query.get('body');
  const mode = query.get('mode');
  useEffect(() => {
    const body = bodyIn(given);
    if (body) setFilled(before => ({...before, [endpoint]: valuesOf(body)}));
    if (mode) setSandbox(mode !== 'live');
  }, [endpoint, given, mode]);
  if (reference === null) {
    return (
      <Page title="Playground">
        <ProblemNotice problem={problem} again={again} />
        {problem === null && <Loading what="the catalogue" />}
      </Page>
    );
  }
  const endpoints = tryable(reference);
  const wanted = endpoint || firstEndpoint;
  const chosen = endpoints.find(one => one.path === wanted) ?? endpoints[0];
  return (
    <Page title="Playground" lead="Every endpoint, with the price before the call.">
      {chosen && (
        <>
          <Chooser endpoints={endpoints} chosen={chosen.path} />
          <Tryout
            key={chosen.path}
            endpoint={chosen}
            reference={reference}
            values={filled[chosen.path] ?? {}}
            setValues={change =>
              setFilled(before => ({...before, [chosen.path]: change(before[chosen.path] ?? {})}))
            }
            sandbox={sandbox}
            setSandbox={setSandbox}
          />
        </>
      )}
    </Page>
  );
}
