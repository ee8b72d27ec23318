// The last calls of the playground, in this tab and for its account alone: what was sent, and what
// came of it. Answers are not kept.

export interface RecentCall {
  endpoint: string;
  sandbox: boolean;
  body: Record<string, unknown>;
  at: string;
  /** "20 items, 0 credits", or why it failed. */
  said: string;
  ok: boolean;
}

export const mostRecent = 20;

/** The newest first; the same call again takes the place of the one before. */
export function withCall(calls: readonly RecentCall[], one: RecentCall): RecentCall[] {
  const name = (call: RecentCall) => JSON.stringify([call.endpoint, call.sandbox, call.body]);
  const rest = calls.filter(call => name(call) !== name(one));
  return [one, ...rest].slice(0, mostRecent);
}

const keyOf = (account: string) => `freshet-calls-${account}`;

export function readCalls(account: string): RecentCall[] {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(keyOf(account)) ?? '[]');
    return Array.isArray(read) ? (read as RecentCall[]).slice(0, mostRecent) : [];
  } catch {
    return []; // storage is switched off in this browser, or holds something else
  }
}

export function keepCalls(account: string, calls: readonly RecentCall[]): void {
  try {
    sessionStorage.setItem(keyOf(account), JSON.stringify(calls));
  } catch {
    // They are known until the page is left.
  }
}
