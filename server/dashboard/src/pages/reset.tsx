// A forgotten password: asking for a link, and with the link's token choosing another.
import {useState} from 'preact/hooks';
import {send} from '../api/http';
import type {Session} from '../api/types';
import {Link, useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {Submit} from '../parts/controls';
import {TextField} from '../parts/field';
import {Form, useForm} from '../parts/form';
import {LinkSent} from './sign_up';

function RequestForm() {
  const {session} = useSession();
  const form = useForm({email: ''});
  const [sent, setSent] = useState(false);
  const submit = () =>
    form.run(async values => {
      await send('reset/request', values, {quiet: true});
      setSent(true);
    });
  if (sent) return <LinkSent mail={session?.mail ?? 'smtp'} what="to choose another password" />;
  return (
    <section class="card">
      <Form onSubmit={submit} problem={form.problem} fields={['email']} label="Ask for a link">
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          help="If it has an account, a link goes there."
          required
          {...form.bind('email')}
        />
        <div class="form-foot">
          <Submit busy={form.busy}>Send a link</Submit>
          <Link href="/dashboard/sign-in">Back to signing in</Link>
        </div>
      </Form>
    </section>
  );
}

function ConfirmForm({token}: {token: string}) {
  const {take} = useSession();
  const {go} = useRouter();
  const form = useForm({password: ''});
  const submit = () =>
    form.run(async ({password}) => {
      const body = {token, password};
      take((await send<Session>('reset/confirm', body, {quiet: true})).body);
      go('/dashboard', true);
    });
  return (
    <section class="card">
      <Form
        onSubmit={submit}
        problem={form.problem}
        fields={['password']}
        label="Choose a new password"
      >
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          help="At least 10 characters, and not your address. Every other session ends."
          required
          {...form.bind('password')}
        />
        <div class="form-foot">
          <Submit busy={form.busy}>Set it and sign in</Submit>
        </div>
      </Form>
      {form.problem?.code === 'invalid_token' && (
        <p>
          <Link href="/dashboard/reset">Ask for another link</Link>.
        </p>
      )}
    </section>
  );
}

export function ResetPage() {
  const {query} = useRouter();
  const token = query.get('token') ?? '';
  return (
    <Page title={token ? 'Choose a new password' : 'Reset your password'} narrow>
      {token ? <ConfirmForm token={token} /> : <RequestForm />}
    </Page>
  );
}
