// Who is signed in. The whole application reads it here; the server alone decides it.
import {createContext} from 'preact';
import type {ComponentChildren} from 'preact';
import {useCallback, useContext, useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {
  get,
  keepCsrfToken,
  onBalance,
  onSignedOut,
  problemOf,
  send,
  type Problem,
} from '../api/http';
import {showAccount} from '../api/calls';
import type {Session} from '../api/types';
import {useNewCalls, watchCalls} from './watch';

interface SessionState {
  /** null until the server has said. */
  session: Session | null;
  problem: Problem | null;
  /** The credits that are left, as the last answer said; null until one has. */
  balance: number | null;
  /** Whether the session ended while the page was in use. */
  ended: boolean;
  /** Takes what a sign-in, a verification or a change of password answered. */
  take(session: Session): void;
  reload(): Promise<void>;
  signOut(): Promise<void>;
  /** Looks again here and in the other tabs, once the session was ended. */
  leave(): Promise<void>;
}

/** To the other tabs of this browser: the session that they show has ended. */
const channelName = 'freshet-session';

const Context = createContext<SessionState | null>(null);

export function SessionProvider({children}: {children: ComponentChildren}) {
  const [session, setSession] = useState<Session | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [ended, setEnded] = useState(false);
  const [balance, setBalance] = useState<number | null>(null);

  const take = useCallback((next: Session) => {
    keepCsrfToken(next.csrf_token);
    setProblem(null);
    setSession(next);
    setEnded(false);
  }, []);
  const reload = useCallback(async () => {
    try {
      take(await get<Session>('/dashboard/api/session'));
    } catch (failure) {
      setProblem(problemOf(failure));
    }
  }, [take]);
  const channel = useRef<BroadcastChannel | null>(null);
  const leave = useCallback(async () => {
    channel.current?.postMessage('ended');
    await reload();
  }, [reload]);
  const signOut = useCallback(async () => {
    await send('sign-out', {}, {quiet: true}).catch(() => {});
    await leave();
  }, [leave]);

  useEffect(() => {
    onSignedOut(() => setEnded(true));
    onBalance(setBalance);
    void reload();
    // They ask the server who is signed in: it alone decides that.
    const opened = new BroadcastChannel(channelName);
    opened.onmessage = () => void reload();
    channel.current = opened;
    return () => opened.close();
  }, [reload]);

  // Calls with keys move it too.
  const account = session?.account?.id ?? null;
  const look = () => {
    if (account !== null) void showAccount().catch(() => {});
  };
  useNewCalls(look);
  useEffect(() => {
    if (account === null) return;
    setBalance(null);
    look();
    return watchCalls();
  }, [account]);

  const state = useMemo(
    () => ({session, problem, balance, ended, take, reload, signOut, leave}),
    [session, problem, balance, ended, take, reload, signOut, leave],
  );
  return <Context.Provider value={state}>{children}</Context.Provider>;
}

export function useSession(): SessionState {
  const state = useContext(Context);
  if (state === null) throw new Error('useSession outside of SessionProvider');
  return state;
}
