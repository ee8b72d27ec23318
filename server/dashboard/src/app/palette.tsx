// Going anywhere by a few letters: pages, endpoints in the playground, and the docs. Opened by
// Ctrl-K, or its button; the arrow keys choose, and Enter goes there.
import {useEffect, useId, useMemo, useState} from 'preact/hooks';
import {get} from '../api/http';
import {guideEntries, guidesPath, type Guide} from '../data/guides';
import {entriesOf, search} from '../data/search';
import {Button, Dialog} from '../parts/controls';
import {useLoaded} from './loading';
import {useReference} from './reference';
import {useRouter} from './router';
import {useSession} from './session';
import {actions, fragments, shell, terms} from '../words';

export interface Goal {
  to: string;
  name: string;
  kind?: string;
}

const most = 10;

/** Pages first, as they are few and what most come for; then all that the docs find. */
function useGoals(pages: readonly Goal[], query: string): Goal[] {
  const {reference} = useReference();
  const {session} = useSession();
  const guides = useLoaded(() => get<Guide[]>(guidesPath), []);
  const signedIn = session?.account != null;
  const entries = useMemo(() => {
    if (reference === null) return [];
    const docs = entriesOf(reference.document, reference.endpoints, reference.errors);
    return [...docs, ...guideEntries(guides.value ?? [])];
  }, [reference, guides.value]);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => words.every(word => text.toLowerCase().includes(word));
  const calls = (signedIn ? (reference?.endpoints ?? []) : [])
    .filter(one => one.platform !== 'account')
    .map(one => ({
      to: `/dashboard/playground/${one.path}`,
      name: one.path,
      kind: actions.run,
    }));
  const own = [...pages.map(one => ({...one, kind: terms.page})), ...(words.length ? calls : [])];
  const found = search(entries, query, most).map(one => ({
    to: one.to,
    name: one.title,
    kind: one.kind === 'guide' ? 'guide' : fragments.goalDocs(one.kind),
  }));
  return [...own.filter(one => matches(one.name)), ...found].slice(0, most);
}

function Goals({pages, onClose}: {pages: readonly Goal[]; onClose(): void}) {
  const {go} = useRouter();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const goals = useGoals(pages, query);
  const at = Math.min(chosen, Math.max(0, goals.length - 1));
  const take = (goal: Goal | undefined) => {
    if (!goal) return;
    onClose();
    go(goal.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (event.key === 'Enter') take(goals[at]);
    else if (step === undefined || goals.length === 0) return;
    else setChosen((at + step + goals.length) % goals.length);
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label={shell.goalQuestion}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={goals[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellcheck={false}
        value={query}
        onInput={event => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label={shell.goals} class="goals">
        {goals.map((goal, i) => (
          <li
            key={goal.kind + goal.to}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onClick={() => take(goal)}
          >
            {goal.name} <span class="muted">{goal.kind}</span>
          </li>
        ))}
      </ul>
      <p class="help" role="status">
        {goals.length === 0 && shell.nothingFound}
      </p>
    </>
  );
}

export function Palette({pages}: {pages: readonly Goal[]}) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Not over another dialog, whose work it would leave behind.
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <Button class="secondary go-to" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        {actions.goTo}… <kbd aria-hidden="true">{shell.goToKeys}</kbd>
      </Button>
      {open && (
        <Dialog title={actions.goTo} onClose={() => setOpen(false)}>
          <Goals pages={pages} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}
