// Small controls that several pages share: a button that works, copying, tabs, a modal dialog.
import type {ComponentChildren, JSX} from 'preact';
import {useEffect, useId, useRef, useState} from 'preact/hooks';
import {useEnds} from './ends';
import {actions, terms} from '../words';

type Kind = 'primary' | 'secondary' | 'plain' | 'danger';
type ButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & {kind?: Kind};

export function Button({kind = 'secondary', ...rest}: ButtonProps) {
  return <button type="button" class={kind} {...rest} />;
}

interface SubmitProps {
  busy: boolean;
  children: ComponentChildren;
  kind?: Kind | undefined;
}

export function Submit({busy, children, kind = 'primary'}: SubmitProps) {
  const stopWhileBusy = (event: Event) => {
    if (busy) event.preventDefault();
  };
  return (
    <button type="submit" class={kind} aria-disabled={busy} onClick={stopWhileBusy}>
      {children}
      {busy && <span class="visually-hidden"> – {terms.working}</span>}
    </button>
  );
}

interface RowActionProps {
  verb: string;
  /** What it is done to, for those who hear the button alone. */
  of: string;
  danger?: boolean;
  onClick(): void;
}

export function RowAction({verb, of, danger, onClick}: RowActionProps) {
  return (
    <Button class={danger ? 'plain danger-text' : 'plain'} onClick={onClick}>
      {verb}
      <span class="visually-hidden"> {of}</span>
    </Button>
  );
}

interface MeterProps {
  /** Of the whole, from 0 to 1. */
  share: number;
  state: 'empty' | 'low' | 'enough';
  label: string;
}

/** How much of something there is, in the colour of what that means. */
export function Meter({share, state, label}: MeterProps) {
  return <meter data-state={state} value={Math.min(1, share)} aria-label={label} />;
}

/** Below a list: asks for what follows. */
export function More({verb, ...rest}: ButtonProps & {verb: string}) {
  return (
    <div class="more">
      <Button {...rest}>{verb}</Button>
    </div>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS browsers keep the clipboard to themselves, except for this old way.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

interface CopyProps {
  text: string;
  /** What is copied, for those who hear the button alone. */
  what?: string;
  /** What the button says. */
  verb?: string;
  onCopied?: (() => void) | undefined;
}

export function CopyButton({text, what, verb = actions.copy, onCopied}: CopyProps) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), 2500);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      class="secondary copy"
      onClick={async () => {
        const done = await copyText(text);
        setSaid(done ? actions.copied : actions.copyByHand);
        if (done) onCopied?.();
      }}
    >
      <span aria-live="polite">{said || verb}</span>
      {what && <span class="visually-hidden"> {what}</span>}
    </Button>
  );
}

interface CopiedProps {
  label: string;
  onCopied?: (() => void) | undefined;
}

export function Secret({value, label, onCopied}: CopiedProps & {value: string}) {
  return (
    <div class="secret">
      <code aria-label={label}>{value}</code>
      <CopyButton text={value} what={label} onCopied={onCopied} />
    </div>
  );
}

export function Code({text, label, onCopied}: CopiedProps & {text: string}) {
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={label} onCopied={onCopied} />
    </div>
  );
}

export interface Tab {
  name: string;
  content: () => ComponentChildren;
}

interface TabsProps {
  tabs: readonly Tab[];
  label: string;
  /** Under which the choice is known on all pages and the next time. */
  remember?: string;
}

function rememberedTab(name: string | undefined): string | null {
  try {
    return name === undefined ? null : localStorage.getItem(`freshet-tab-${name}`);
  } catch {
    return null; // storage is switched off in this browser
  }
}

function rememberTab(name: string | undefined, tab: string | undefined): void {
  if (name === undefined || tab === undefined) return;
  try {
    localStorage.setItem(`freshet-tab-${name}`, tab);
  } catch {
    // It holds for this page then.
  }
}

/** Tabs with the arrow keys; only the chosen one's content exists. */
export function Tabs({tabs, label, remember}: TabsProps) {
  const [chosen, setChosen] = useState(() => {
    const name = rememberedTab(remember);
    return Math.max(
      0,
      tabs.findIndex(tab => tab.name === name),
    );
  });
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEnds(list, tabs.length);
  const current = Math.min(chosen, tabs.length - 1);
  const choose = (i: number) => {
    setChosen(i);
    rememberTab(remember, tabs[i]?.name);
  };
  const move = (to: number) => {
    const next = (to + tabs.length) % tabs.length;
    choose(next);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {ArrowRight: current + 1, ArrowLeft: current - 1};
    const to = {...steps, Home: 0, End: tabs.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab, i) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-tab-${i}`}
            aria-selected={i === current}
            aria-controls={`${id}-panel`}
            tabIndex={i === current ? 0 : -1}
            onClick={() => choose(i)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${current}`}
        class="tabpanel"
      >
        {tabs[current]?.content()}
      </div>
    </div>
  );
}

interface DialogProps {
  title: string;
  /** Not given: the dialog stays until its own content closes it. */
  onClose?: () => void;
  /** Along the side of the screen, for what is long. */
  drawer?: boolean;
  children: ComponentChildren;
}

/** Where one types first; without any, the browser's choice is the first button. */
const fieldsOf = ['input:not([type="hidden"])', 'select', 'textarea'].join();

/** A modal dialog while it is rendered; Escape closes it, and the focus goes back. */
export function Dialog({title, onClose, drawer, children}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    const fields = [...(shown?.querySelectorAll<HTMLInputElement>(fieldsOf) ?? [])];
    // Who one is, where that is known, is not typed again.
    (fields.find(one => one.type !== 'email' || one.value === '') ?? fields[0])?.focus();
    return () => {
      shown?.close(); // before it goes: what is behind an open dialog takes no focus
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={drawer ? 'drawer' : undefined}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && (
          <Button kind="plain" aria-label={terms.close} onClick={onClose}>
            ✕
          </Button>
        )}
      </header>
      {children}
    </dialog>
  );
}
