// What a page asks for when it opens: the answer, the problem, and asking again. An answer that
// comes after its question has changed is dropped.
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {problemOf, type Problem} from '../api/http';

export interface Loaded<T> {
  value: T | null;
  problem: Problem | null;
  loading: boolean;
  /** Asks again; what is shown stays until the answer comes. */
  again(): void;
  set(value: T): void;
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
    ask()
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
  }, [...dependencies, round]);

  useEffect(() => () => void ++asked.current, []);
  const again = useCallback(() => setRound(n => n + 1), []);
  return {value, problem, loading, again, set: setValue};
}
