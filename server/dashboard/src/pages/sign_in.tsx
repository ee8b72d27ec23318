// Signing in, as a page and within the dialog of a session that has ended.
import {send} from '../api/http';
import type {Session} from '../api/types';
import {Link, useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {Submit} from '../parts/controls';
import {TextField} from '../parts/field';
import {Form, useForm} from '../parts/form';
import {Pitch} from '../parts/pitch';

interface Props {
  email?: string;
  whenDone?: () => void;
}

export function SignInForm({email = '', whenDone}: Props) {
  const {take} = useSession();
  const form = useForm({email, password: ''});
  const submit = () =>
    form.run(async values => {
      const answer = await send<Session>('sign-in', values, {quiet: true});
      take(answer.body);
      whenDone?.();
    });
  return (
    <Form onSubmit={submit} problem={form.problem} fields={['email', 'password']} label="Sign in">
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        {...form.bind('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        {...form.bind('password')}
      />
      <div class="form-foot">
        <Submit busy={form.busy}>Sign in</Submit>
        <Link href="/dashboard/reset">Forgot your password?</Link>
      </div>
    </Form>
  );
}

export function SignInPage() {
  const {session} = useSession();
  const {path, go} = useRouter();
  // On another page's address this stands in for it, and the page comes once one is signed in.
  const leave = path === '/dashboard/sign-in' ? () => go('/dashboard') : () => {};
  return (
    <Page title="Sign in" narrow aside={<Pitch />}>
      {session?.account ? (
        <p>
          You are signed in as {session.account.email}. Go to the{' '}
          <Link href="/dashboard">overview</Link>.
        </p>
      ) : (
        <section class="card">
          <SignInForm whenDone={leave} />
        </section>
      )}
      {session?.sign_up_open && !session.account && (
        <p>
          New here? <Link href="/dashboard/sign-up">Make an account</Link>, free of charge.
        </p>
      )}
    </Page>
  );
}
