// New calls of the account, as the server tells of them while the page is looked at: one stream for
// all of its parts. Where there is none, the page's parts still learn of calls when one comes back
// to it, and every half minute.
import {useEffect, useRef} from 'preact/hooks';

const everyMs = 30_000;
/** What comes closer together is told once. */
const togetherMs = 1000;

const listeners = new Set<() => void>();

/** `act` whenever there are new calls, for as long as the part is shown. */
export function useNewCalls(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listener = () => latest.current();
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

/** Listens until what it returns is called; for whoever is signed in. */
export function watchCalls(): () => void {
  let stream: EventSource | null = null;
  let soon: ReturnType<typeof setTimeout> | null = null;
  const tell = () => {
    soon ??= setTimeout(() => {
      soon = null;
      for (const listener of listeners) listener();
    }, togetherMs);
  };
  const listen = () => {
    if (stream !== null && stream.readyState !== EventSource.CLOSED) return;
    stream = new EventSource('/dashboard/api/events');
    stream.addEventListener('calls', tell);
  };
  const look = () => {
    if (document.hidden) {
      stream?.close();
      stream = null;
    } else {
      tell();
      listen();
    }
  };
  if (!document.hidden) listen();
  const timer = setInterval(() => {
    if (!document.hidden && stream?.readyState !== EventSource.OPEN) look();
  }, everyMs);
  document.addEventListener('visibilitychange', look);
  return () => {
    stream?.close();
    if (soon !== null) clearTimeout(soon);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
