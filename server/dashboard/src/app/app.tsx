// The table of pages: which address shows what, and to whom.
import type {ComponentChildren} from 'preact';
import {AccountPage} from '../pages/account';
import {FrontPage} from '../pages/front';
import {KeysPage} from '../pages/keys';
import {LedgerPage} from '../pages/ledger';
import {MissingPage} from '../pages/missing';
import {OverviewPage} from '../pages/overview';
import {PlaygroundPage} from '../pages/playground';
import {RequestsPage} from '../pages/requests';
import {ResetPage} from '../pages/reset';
import {SignInForm, SignInPage} from '../pages/sign_in';
import {SignUpPage} from '../pages/sign_up';
import {SourcesPage} from '../pages/sources';
import {StatusPage} from '../pages/status';
import {VerifyPage} from '../pages/verify';
import {WelcomePage} from '../pages/welcome';
import {DocsPages} from '../docs/pages';
import {AccountOfPage} from '../operator/account';
import {AccountsPage} from '../operator/accounts';
import {AuditPage} from '../operator/audit';
import {PlansPage} from '../operator/plans';
import {ServicePage} from '../operator/overview';
import {AccountRequestsPage} from '../operator/requests';
import {VerificationPage} from '../operator/verification';
import {Dialog} from '../parts/controls';
import {Loading, ProblemNotice} from '../parts/notice';
import {useRouter} from './router';
import {useSession} from './session';
import {Shell} from './shell';
import {actions, shell, terms} from '../words';

const openPages: Record<string, () => ComponentChildren> = {
  '/dashboard/sign-in': () => <SignInPage />,
  '/dashboard/sign-up': () => <SignUpPage />,
  '/dashboard/verify': () => <VerifyPage />,
  '/dashboard/reset': () => <ResetPage />,
};

const ownPages: Record<string, () => ComponentChildren> = {
  '/dashboard': () => <OverviewPage />,
  '/dashboard/welcome': () => <WelcomePage />,
  '/dashboard/keys': () => <KeysPage />,
  '/dashboard/requests': () => <RequestsPage />,
  '/dashboard/ledger': () => <LedgerPage />,
  '/dashboard/sources': () => <SourcesPage />,
  '/dashboard/account': () => <AccountPage />,
};

const operatorPages: Record<string, () => ComponentChildren> = {
  '/dashboard/operator/service': () => <ServicePage />,
  '/dashboard/operator/accounts': () => <AccountsPage />,
  '/dashboard/operator/account': () => <AccountOfPage />,
  '/dashboard/operator/requests': () => <AccountRequestsPage />,
  '/dashboard/operator/plans': () => <PlansPage />,
  '/dashboard/operator/ledger': () => <VerificationPage />,
  '/dashboard/operator/audit': () => <AuditPage />,
};

const playground = '/dashboard/playground';

function Content() {
  const {path} = useRouter();
  const {session, problem, reload} = useSession();
  if (path === '/') return <FrontPage />;
  if (path === '/status') return <StatusPage />;
  if (path === '/docs' || path.startsWith('/docs/')) return <DocsPages />;
  if (path !== '/dashboard' && !path.startsWith('/dashboard/')) return <MissingPage />;
  if (session === null) {
    if (problem === null) return <Loading what={terms.dashboard} />;
    return <ProblemNotice problem={problem} again={() => void reload()} />;
  }
  const open = openPages[path];
  if (open) return <>{open()}</>;
  if (session.account === null) return <SignInPage />;
  if (path === playground || path.startsWith(`${playground}/`)) {
    return <PlaygroundPage endpoint={path.slice(playground.length + 1)} />;
  }
  const own = ownPages[path];
  if (own) return <>{own()}</>;
  const operator = session.account.operator ? operatorPages[path] : undefined;
  return operator ? <>{operator()}</> : <MissingPage />;
}

/** Over the page, which keeps everything that was typed. */
function SessionEnded() {
  const {session, ended} = useSession();
  if (!ended) return null;
  return (
    <Dialog title={actions.signInAgain}>
      <p>{shell.sessionEnded}</p>
      <SignInForm email={session?.account?.email ?? ''} />
    </Dialog>
  );
}

export function App() {
  return (
    <Shell>
      <Content />
      <SessionEnded />
    </Shell>
  );
}
