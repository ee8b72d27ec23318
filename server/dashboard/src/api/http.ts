// Every request that the application makes: to its own server only, with the session's cookie and,
// where it changes something, the token against forged requests. A failure is always a problem.
import type {Meta} from './types';
import {problems} from '../words';

export interface ParameterError {
  pointer: string;
  code: string;
  detail: string;
}

/** The server's problem document (RFC 9457), or one of our own where no answer came. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id?: string;
  retryable?: boolean;
  retry_after_s?: number | null;
  errors?: ParameterError[];
  source_text?: string;
}

export class CallFailed extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

export function problemOf(failure: unknown): Problem {
  if (failure instanceof CallFailed) return failure.problem;
  return {
    type: 'about:blank',
    title: problems.page,
    status: 0,
    detail: problems.pageHelp(failure instanceof Error ? failure.message : String(failure)),
    code: 'internal',
  };
}

export interface Answer<T> {
  body: T;
  creditsUsed: number;
  elapsedMs: number;
}

let csrfToken: string | null = null;
/** Called with every session that the server describes. */
export function keepCsrfToken(token: string | null): void {
  csrfToken = token;
}

let whenBalanceMoves: (balance: number) => void = () => {};
/** What to do with the credits that an answer says are left. */
export function onBalance(act: (balance: number) => void): void {
  whenBalanceMoves = act;
}

let whenSignedOut: () => void = () => {};
/** What to do when the session has ended; the page stays as it is. */
export function onSignedOut(act: () => void): void {
  whenSignedOut = act;
}

const unreachable: Problem = {
  type: 'about:blank',
  title: problems.unreachable,
  status: 0,
  detail: problems.unreachableHelp,
  code: 'unreachable',
  retryable: true,
};

async function readProblem(response: Response): Promise<Problem> {
  try {
    const read: unknown = await response.json();
    if (typeof read === 'object' && read !== null && 'code' in read && 'detail' in read) {
      return read as Problem;
    }
  } catch {
    // Not JSON: something between the page and the server has answered.
  }
  return {
    ...unreachable,
    title: problems.foreign,
    status: response.status,
    detail: problems.foreignHelp(response.status),
  };
}

async function fetchOnce(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, {credentials: 'same-origin', ...init});
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    throw new CallFailed(unreachable);
  }
}

function post(path: string, body: unknown, headers: Record<string, string>, signal?: AbortSignal) {
  const fields: Record<string, string> = {'Content-Type': 'application/json', ...headers};
  if (csrfToken !== null) fields['X-CSRF-Token'] = csrfToken;
  return fetchOnce(path, {
    method: 'POST',
    headers: fields,
    body: JSON.stringify(body),
    ...(signal ? {signal} : {}),
  });
}

export interface Options {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether an ended session is told to the whole page; default: yes. */
  quiet?: boolean;
}

async function finish<T>(response: Response, began: number, quiet: boolean): Promise<Answer<T>> {
  const left = response.headers.get('X-Service-Credits-Remaining');
  if (left !== null) whenBalanceMoves(Number(left));
  if (!response.ok) {
    const problem = await readProblem(response);
    if (problem.code === 'not_signed_in' && !quiet) whenSignedOut();
    throw new CallFailed(problem);
  }
  return {
    body: (await response.json()) as T,
    creditsUsed: Number(response.headers.get('X-Service-Credits-Used') ?? 0),
    elapsedMs: Math.round(performance.now() - began),
  };
}

const mostWaits = 20;

/** What `ask` is answered; where that is that it came too early, it is asked again as late as the
 * server says, while that is wanted. */
export async function inTime<T>(ask: () => Promise<T>, isWanted = () => true): Promise<T> {
  for (let waits = 0; ; ++waits) {
    try {
      return await ask();
    } catch (failure) {
      const wait = failure instanceof CallFailed ? failure.problem.retry_after_s : null;
      if (problemOf(failure).code !== 'rate_limited' || !wait || waits === mostWaits) throw failure;
      await new Promise(resolve => setTimeout(resolve, wait * 1000));
      if (!isWanted()) throw failure;
    }
  }
}

/** GET of a path of this server. */
export async function get<T>(path: string): Promise<T> {
  return (await finish<T>(await fetchOnce(path, {}), performance.now(), false)).body;
}

/** The answer to a POST below /dashboard/api/. A stale token, of a session renewed in another tab,
 * is renewed. */
async function respond(path: string, body: unknown, options: Options): Promise<Response> {
  const url = `/dashboard/api/${path}`;
  const response = await post(url, body, options.headers ?? {}, options.signal);
  if (response.status === 403 && csrfToken !== null) {
    const problem = await readProblem(response.clone());
    if (problem.code === 'csrf_failed') {
      const session = await get<{csrf_token: string | null}>('/dashboard/api/session');
      keepCsrfToken(session.csrf_token);
      return post(url, body, options.headers ?? {}, options.signal);
    }
  }
  return response;
}

/** POST below /dashboard/api/. */
export async function send<T>(path: string, body: unknown, options: Options = {}) {
  const began = performance.now();
  return finish<T>(await respond(path, body, options), began, !!options.quiet);
}

interface StreamEvent {
  event: 'source' | 'result' | 'error';
  data: unknown;
}

/** The lines of a stream, each as soon as it is whole. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read().catch(() => {
      throw new CallFailed(unreachable);
    });
    const lines = (rest + decoder.decode(value, {stream: !done})).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter(line => line !== '');
    if (done) return;
  }
}

/** As send(), of a list: `tell` is given what each source answers as soon as it does. */
export async function sendStreamed<T extends {meta: Meta}>(
  path: string,
  body: unknown,
  options: Options,
  tell: (of: unknown) => void,
): Promise<Answer<T>> {
  const began = performance.now();
  const headers = {...options.headers, Accept: 'application/x-ndjson'};
  const response = await respond(path, body, {...options, headers});
  if (!response.ok || response.body === null) return finish<T>(response, began, !!options.quiet);
  for await (const line of linesOf(response.body)) {
    const {event, data} = JSON.parse(line) as StreamEvent;
    if (event === 'source') tell(data);
    if (event === 'error') throw new CallFailed(data as Problem);
    if (event !== 'result') continue;
    const {used, remaining} = (data as T).meta.credits;
    if (remaining !== null && !options.headers?.['X-Sandbox']) whenBalanceMoves(remaining);
    return {body: data as T, creditsUsed: used, elapsedMs: Math.round(performance.now() - began)};
  }
  throw new CallFailed(unreachable);
}
