// Messages in the page: an error by its problem document, good news, and what a list says when it
// is empty or not there yet.
import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import type {Problem} from '../api/http';
import type {Loaded} from '../app/loading';
import {Link} from '../app/router';
import {Button} from './controls';
import {Message} from './message';
import {actions, problems, shell} from '../words';

interface NoticeProps {
  kind?: 'info' | 'good' | 'bad' | 'warn';
  title?: string;
  children?: ComponentChildren;
}

export function Notice({kind = 'info', title, children}: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {title && <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

const nextSteps: Record<string, string> = {
  insufficient_credits: problems.insufficientCreditsHelp,
  revoked_api_key: problems.revokedKeyHelp,
  no_recipient: problems.noRecipientHelp,
};

/** What to do about a problem, where a page here has it. */
export function NextStep({code}: {code: string}) {
  const text = nextSteps[code];
  return text ? (
    <p>
      <Message text={text} />
    </p>
  ) : null;
}

interface ProblemProps {
  problem: Problem | null;
  /** The fields that show their own part of it. */
  shownAt?: readonly string[];
  again?: () => void;
}

/** For how long to wait yet. */
function Wait({seconds}: {seconds: number}) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const until = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setLeft(now);
      if (now === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return <span>{left > 0 ? shell.retryIn(left) : shell.retryNow}</span>;
}

/** A problem with what to do about it. Parameters that have a field are left to the field, and of
 * an only one the detail says it all. */
export function ProblemNotice({problem, shownAt = [], again}: ProblemProps) {
  if (problem === null) return null;
  const elsewhere = new Set(shownAt);
  const errors = problem.errors ?? [];
  const rest = errors.length > 1 ? errors.filter(one => !elsewhere.has(one.pointer)) : [];
  const known = problem.type.startsWith('/errors/');
  return (
    <div class="notice bad" role="alert">
      <p class="notice-title">{problem.title}</p>
      <p>{problem.detail}</p>
      {rest.length > 0 && (
        <ul>
          {rest.map(one => (
            <li key={one.pointer}>
              <code>{one.pointer}</code> {one.detail}
            </li>
          ))}
        </ul>
      )}
      <NextStep code={problem.code} />
      {problem.source_text && <p class="muted">{shell.sourceSaid(problem.source_text)}</p>}
      <p class="notice-foot">
        {known && (
          <Link href={`/docs/errors/${problem.code}`}>{shell.codeMeaning(problem.code)}</Link>
        )}
        {problem.retry_after_s ? (
          <Wait key={problem.request_id} seconds={problem.retry_after_s} />
        ) : null}
        {again && problem.status !== 404 && (
          <Button kind="plain" onClick={again}>
            {actions.retry}
          </Button>
        )}
      </p>
    </div>
  );
}

export function Loading({what}: {what: string}) {
  return (
    <p class="loading" role="status">
      <span class="pulse" aria-hidden="true" /> {shell.loading(what)}
    </p>
  );
}

export function Empty({title, children}: {title: string; children?: ComponentChildren}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

interface LoadedProps<T> {
  of: Loaded<T>;
  what: string;
  /** Whether it stands on a card, below its problem. */
  card?: boolean;
  children(value: T): ComponentChildren;
}

/** What a page asked for: its problem, that it is awaited, or what `children` makes of it. */
export function LoadedView<T>({of, what, card, children}: LoadedProps<T>) {
  const {value, problem, loading, again} = of;
  const shown = value === null ? loading && <Loading what={what} /> : children(value);
  return (
    <>
      <ProblemNotice problem={problem} again={again} />
      {card ? (
        <section class="card" aria-busy={loading} hidden={value === null && !loading}>
          {shown}
        </section>
      ) : (
        shown
      )}
    </>
  );
}
