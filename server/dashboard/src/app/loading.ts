// What a page asks for when it opens: the answer, the problem, and asking again. An answer that
// comes after its question has changed is dropped. Its calls share the account's rate: where that
// is used up the page is late, and no failure.
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {inTime, problemOf, type Problem} from '../api/http';

export interface Loaded<T> {
  value: T | null;
  problem: Problem | null;
  loading: boolean;
  /** Asks again; what is shown stays until the answer comes. */
  again(): void;
}

export function useLoaded<T>(ask: () => Promise<T>, dependencies: unknown[]): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [loading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const asked = useRef(0);

  useEffect(() => {
    const question = ++asked.current;
    setLoading(true);
    // In a task of its own: a page that asks for six things lets what is typed come between.
    const turn = setTimeout(() => {
      inTime(ask, () => question === asked.current)
        .then(answer => {
          if (question !== asked.current) return;
          setValue(answer);
          setProblem(null);
        })
        .catch(failure => {
          if (question === asked.current) setProblem(problemOf(failure));
        })
        .finally(() => {
          if (question === asked.current) setLoading(false);
        });
    });
    return () => clearTimeout(turn);
  }, [...dependencies, round]);

  useEffect(() => () => void ++asked.current, []);
  const again = useCallback(() => setRound(n => n + 1), []);
  return {value, problem, loading, again};
}

/** Something that is done on a click: whether it runs, and the problem of its last time. */
export function useAttempt() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const round = useRef(0);
  /** Only the latest attempt counts: `act` asks `isLatest`. `forget` an old problem at once. */
  const attempt = async (act: (isLatest: () => boolean) => Promise<void>, forget = false) => {
    const mine = ++round.current;
    const isLatest = () => mine === round.current;
    setBusy(true);
    if (forget) setProblem(null);
    try {
      await act(isLatest);
      if (isLatest()) setProblem(null);
    } catch (failure) {
      if (isLatest()) setProblem(problemOf(failure));
    } finally {
      if (isLatest()) setBusy(false);
    }
  };
  return {problem, busy, attempt};
}

interface ListPage<T> {
  rows: T[];
  next: string | null;
}

/** A list that grows page by page; `cursor` is null for its first, which begins it anew. */
export function usePages<T>(ask: (cursor: string | null) => Promise<ListPage<T>>) {
  const [shown, setShown] = useState<ListPage<T> | null>(null);
  const {problem, busy, attempt} = useAttempt();
  const load = (cursor: string | null) =>
    attempt(async isLatest => {
      const {rows, next} = await inTime(() => ask(cursor), isLatest);
      if (!isLatest()) return;
      const kept = (before: ListPage<T> | null) => (cursor === null ? [] : (before?.rows ?? []));
      setShown(before => ({rows: [...kept(before), ...rows], next}));
    });
  return {shown, problem, busy, load};
}
