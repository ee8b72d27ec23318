// Signing in, as a page and within the dialog of a session that has ended.
import {send} from '../api/http';
import type {Session} from '../api/types';
import {Link, useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {
  EmailField,
  FormOf,
  PasswordField,
  ProofField,
  asksForCode,
  useAsked,
  useForm,
} from '../parts/form';
import {Pitch} from '../parts/pitch';
import {Message} from '../parts/message';
import {access as words, actions} from '../words';

interface Props {
  email?: string;
  whenDone?: () => void;
}

export function SignInForm({email = '', whenDone}: Props) {
  const {session, take} = useSession();
  const form = useForm({email, password: '', code: ''}, async values => {
    take((await send<Session>('sign-in', values, {quiet: true})).body);
    whenDone?.();
  });
  const asked = useAsked(asksForCode(form.problem));
  const beside = <Link href="/dashboard/reset">{words.forgotten}</Link>;
  return (
    <FormOf of={form} label={actions.signIn} verb={actions.signIn} beside={beside}>
      <EmailField {...form.bind('email')} />
      <PasswordField {...form.bind('password')} />
      {asked && (
        <ProofField
          {...form.bind('code')}
          onPasskey={() =>
            form.onPasskey({email: form.values.email, password: form.values.password})
          }
        />
      )}
      {session?.sign_up_open && form.problem?.code === 'invalid_credentials' && (
        <p>
          <Message text={words.noPassword} />
        </p>
      )}
    </FormOf>
  );
}

export function SignedIn({email}: {email: string}) {
  return (
    <p>
      {words.signedInAs(email)} <Message text={words.goOn} />
    </p>
  );
}

export function SignInPage() {
  const {session} = useSession();
  const {path, go} = useRouter();
  // On another page's address this stands in for it, and the page comes once one is signed in.
  const leave = path === '/dashboard/sign-in' ? () => go('/dashboard') : () => {};
  return (
    <Page title={actions.signIn} narrow aside={<Pitch />}>
      {session?.account ? (
        <SignedIn email={session.account.email} />
      ) : (
        <section class="card">
          <SignInForm whenDone={leave} />
        </section>
      )}
      {session?.sign_up_open && !session.account && (
        <p>
          <Message text={words.signUpHint} />
        </p>
      )}
    </Page>
  );
}
