// What stands around every page: skip link, brand, navigation, theme, the place where results are
// announced, and the dialog of a session that has ended.
import type {ComponentChildren} from 'preact';
import {useEffect, useId, useRef, useState} from 'preact/hooks';
import {Button} from '../parts/controls';
import {Palette} from './palette';
import {Link, useRouter} from './router';
import {useSession} from './session';
import {chooseTheme, chosenTheme, type Theme} from './theme';
import {actions, counted, shell, terms} from '../words';

interface Entry {
  to: string;
  name: string;
  /** Pages that belong to it and stand elsewhere. */
  holds?: string[];
}

const signedInEntries: Entry[] = [
  {to: '/dashboard', name: terms.overview},
  {to: '/dashboard/playground', name: terms.playground},
  {to: '/dashboard/requests', name: terms.requests},
  {to: '/dashboard/keys', name: terms.keys},
  {to: '/dashboard/ledger', name: terms.ledger},
  {to: '/dashboard/sources', name: terms.sources},
  {to: '/dashboard/account', name: terms.account},
];
const visitorEntries: Entry[] = [
  {to: '/dashboard/sign-in', name: actions.signIn},
  {to: '/dashboard/sign-up', name: actions.createAccount},
];
const apiEntries: Entry[] = [
  {to: '/docs', name: terms.docs},
  {to: '/status', name: terms.status},
];
const operatorEntries: Entry[] = [
  {to: '/dashboard/operator/service', name: terms.service},
  {
    to: '/dashboard/operator/accounts',
    name: terms.accounts,
    holds: ['/dashboard/operator/account', '/dashboard/operator/requests'],
  },
  {to: '/dashboard/operator/plans', name: terms.plans},
  {to: '/dashboard/operator/ledger', name: terms.verification},
  {to: '/dashboard/operator/audit', name: terms.auditLog},
];

function isCurrent(path: string, {to, holds = []}: Entry): boolean {
  return (
    path === to || holds.includes(path) || (to !== '/dashboard' && path.startsWith(`${to}/`))
  );
}

function Entries({entries, label}: {entries: Entry[]; label: string}) {
  const {path} = useRouter();
  return (
    <ul aria-label={label}>
      {entries.map(entry => (
        <li key={entry.to}>
          <Link href={entry.to} aria-current={isCurrent(path, entry) ? 'page' : undefined}>
            {entry.name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const id = useId();
  return (
    <div class="theme">
      <label for={id}>{shell.theme}</label>
      <select
        id={id}
        value={theme}
        onChange={event => {
          const next = event.currentTarget.value as Theme;
          setTheme(next);
          chooseTheme(next);
        }}
      >
        <option value="system">{shell.themeOfSystem}</option>
        <option value="light">{shell.themeLight}</option>
        <option value="dark">{shell.themeDark}</option>
      </select>
    </div>
  );
}

/** Leads home, which for who is not signed in is the front page. */
function Brand() {
  const {session} = useSession();
  return (
    <Link href={session?.account ? '/dashboard' : '/'} class="brand">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <path d="M4 12c4.5-4.5 7.5-4.5 12 0s7.5 4.5 12 0M4 21c4.5-4.5 7.5-4.5 12 0s7.5 4.5 12 0" />
      </svg>
      {terms.product}
    </Link>
  );
}

function Who() {
  const {session, balance, signOut} = useSession();
  const {go} = useRouter();
  if (!session?.account) return null;
  return (
    <div class="who">
      {balance !== null && (
        <Link href="/dashboard/ledger" class="balance">
          {counted.credits(balance)}
        </Link>
      )}
      <p title={session.account.email}>{session.account.email}</p>
      <Button
        kind="plain"
        onClick={async () => {
          await signOut();
          go('/dashboard/sign-in');
        }}
      >
        {actions.signOut}
      </Button>
    </div>
  );
}

export function Shell({children}: {children: ComponentChildren}) {
  const {session} = useSession();
  const {path} = useRouter();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const account = session?.account;
  const pages = [
    ...(account ? signedInEntries : visitorEntries),
    ...(account?.operator ? operatorEntries : []),
    ...apiEntries,
  ];
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {actions.skip}
      </a>
      <header class="side">
        <div class="side-top">
          <Brand />
          <Button
            class="secondary menu"
            aria-expanded={open}
            aria-controls="navigation"
            onClick={() => setOpen(!open)}
          >
            {terms.menu}
          </Button>
        </div>
        <div id="navigation" class={open ? 'side-body open' : 'side-body'}>
          <nav aria-label={terms.pages}>
            {account && <Entries entries={signedInEntries} label={terms.dashboard} />}
            {session && !account && <Entries entries={visitorEntries} label={terms.dashboard} />}
            {account?.operator && (
              <>
                <p class="nav-title">{terms.operator}</p>
                <Entries entries={operatorEntries} label={terms.operator} />
              </>
            )}
            <p class="nav-title">{terms.api}</p>
            <Entries entries={apiEntries} label={terms.api} />
          </nav>
          <div class="side-foot">
            <Palette pages={pages} />
            <Who />
            <ThemeChoice />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

interface PageProps {
  title: string;
  /** A line below the title. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  narrow?: boolean;
  /** Beside a narrow page, where there is room. */
  aside?: ComponentChildren;
  children?: ComponentChildren;
}

let firstPage = true;

/** No line ends at the hyphen of "public-data". */
function wholeWords(title: string): ComponentChildren[] {
  const parts = title.split(/((?<!\S)\p{L}+-\p{L}+(?!\S))/u);
  return parts.map((part, i) =>
    i % 2 === 1 ? (
      <span key={i} class="whole">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** A page: its title is the document's, and gets the focus when one comes to it by a link. */
export function Page({title, lead, actions, narrow, aside, children}: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = shell.documentTitle(title);
    if (location.hash !== '') {
      document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
    } else if (!firstPage) {
      scrollTo(0, 0);
      heading.current?.focus({preventScroll: true});
    }
    firstPage = false;
  }, [title]);
  const page = (
    <div class={narrow ? 'page narrow' : 'page'}>
      <div class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {wholeWords(title)}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
  if (!aside) return page;
  return (
    <div class="with-aside">
      {page}
      {aside}
    </div>
  );
}
