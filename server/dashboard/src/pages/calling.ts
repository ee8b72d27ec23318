// How the playground calls: which fields a form shows and which it folds, what the call would cost,
// and its answer with further pages.
import {useEffect, useState} from 'preact/hooks';
import {call, callStreamed, type SourceEvent} from '../api/calls';
import {inTime, problemOf, type Answer, type Problem} from '../api/http';
import type {Envelope, Meta} from '../api/types';
import {useAttempt} from '../app/loading';
import {formOf, isComplete, leadOf, type Field, type Values} from '../data/form';
import type {Endpoint} from '../data/openapi';
import type {Item} from '../parts/items';
import type {CallAnswer} from './answer';
import {counted} from '../words';

const quoteDelayMs = 600;

export interface SplitForm {
  /** What the call is about; null where it takes nothing that it needs. */
  lead: Field | null;
  /** What else it needs, and the ways to say the same. */
  needed: Field[];
  since: Field | null;
  folded: Field[];
  all: Field[];
}

export function splitForm(endpoint: Endpoint): SplitForm {
  const {main, more} = formOf(endpoint);
  const all = [...main, ...more];
  const leading = leadOf(endpoint);
  const alternatives = new Set(endpoint.oneOf.flat());
  const isNeeded = (field: Field) => field.required || alternatives.has(field.name);
  const rest = all.filter(field => field.name !== leading);
  return {
    lead: all.find(field => field.name === leading) ?? null,
    needed: rest.filter(isNeeded),
    since: rest.find(field => field.name === 'since') ?? null,
    folded: rest.filter(field => !isNeeded(field) && field.name !== 'since'),
    all,
  };
}

export interface Quote {
  credits: number | null;
  problem: Problem | null;
}

/** What the call would cost: asked of the server, some time after the last keystroke. */
export function useQuote(
  endpoint: Endpoint,
  body: Record<string, unknown>,
  values: Values,
  sandbox: boolean,
): Quote {
  const [quote, setQuote] = useState<Quote>({credits: null, problem: null});
  const key = JSON.stringify(body);
  const ask = isComplete(endpoint, values);
  useEffect(() => {
    setQuote({credits: null, problem: null});
    if (!ask) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const asked = {...body, dry_run: true};
      // Where it comes too early it comes late: only a call itself is told that.
      inTime(
        () => call<unknown>(endpoint.path, asked, {sandbox, signal: stop.signal}),
        () => !stop.signal.aborted,
      )
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

/** How a call ended, in a few words. */
interface Ended {
  said: string;
  ok: boolean;
}

/** What has come of a list while some of its sources are still asked. */
function arriving(
  told: readonly SourceEvent<Item>[],
  before: CallAnswer | null,
  body: Record<string, unknown>,
  sandbox: boolean,
): CallAnswer {
  const meta = {sources: told.map(({data: _, ...row}) => row), warnings: []};
  const data = told.flatMap(one => one.data);
  return {
    envelope: {
      data,
      meta: {...meta, completeness: 'complete'} as unknown as Meta,
      pictures: before?.envelope.pictures,
    },
    items: [...(before?.items ?? []), ...data],
    list: true,
    pages: (before?.pages ?? 0) + 1,
    spent: before?.spent ?? 0,
    elapsedMs: 0,
    body,
    sandbox,
    isArriving: true,
  };
}

/** The last answer, its further pages, and the problem of the last attempt. A list is shown source
 * by source as they answer. */
export function useAnswer(endpoint: Endpoint) {
  const [answer, setAnswer] = useState<CallAnswer | null>(null);
  const {problem, busy, attempt} = useAttempt();
  const isStreamed = endpoint.answers.list && endpoint.platform !== 'account';
  const run = async (
    body: Record<string, unknown>,
    sandbox: boolean,
    before: CallAnswer | null,
  ): Promise<Ended | null> => {
    if (busy) return null;
    let ended: Ended | null = null;
    await attempt(async isLatest => {
      const cursor = before?.envelope.page?.next_cursor;
      const sent = cursor ? {...body, cursor} : body;
      const told: SourceEvent<Item>[] = [];
      const tell = (of: SourceEvent<Item>) => {
        told.push(of);
        if (isLatest()) setAnswer(arriving(told, before, body, sandbox));
      };
      const asked: Promise<Answer<Envelope<Item | Item[] | null>>> = isStreamed
        ? callStreamed<Item>(endpoint.path, sent, {sandbox}, tell)
        : call(endpoint.path, sent, {sandbox});
      const got = await asked.catch(failure => {
        ended = {said: problemOf(failure).title, ok: false};
        if (isLatest()) setAnswer(answer); // what stood there stays when a call fails
        throw failure;
      });
      const data = got.body.data;
      const items = Array.isArray(data) ? data : data === null ? [] : [data];
      ended = {
        said: `${counted.items(items.length)}, ${counted.credits(got.creditsUsed)}`,
        ok: true,
      };
      if (!isLatest()) return;
      const envelope = got.body as CallAnswer['envelope'] & Envelope<unknown>;
      const pictures = {...before?.envelope.pictures, ...envelope.pictures};
      setAnswer({
        envelope: {...envelope, pictures},
        items: [...(before?.items ?? []), ...items],
        list: Array.isArray(data),
        pages: (before?.pages ?? 0) + 1,
        spent: (before?.spent ?? 0) + got.creditsUsed,
        elapsedMs: got.elapsedMs,
        body,
        sandbox,
      });
    }, true);
    return ended;
  };
  return {answer, problem, busy, run};
}
