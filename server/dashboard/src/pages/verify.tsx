// The link of the mail that verifies an address: choosing the password makes the account. A program
// that only opens links does not use it up.
import {useState} from 'preact/hooks';
import {send} from '../api/http';
import type {Session} from '../api/types';
import {Link, useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {FormOf, PasswordField, useForm} from '../parts/form';
import {Notice} from '../parts/notice';

export function VerifyPage() {
  const {query, go} = useRouter();
  const {take} = useSession();
  const [token] = useState(query.get('token') ?? '');
  const form = useForm({password: ''}, async ({password}) => {
    take((await send<Session>('verify', {token, password}, {quiet: true})).body);
    go('/dashboard/welcome', true);
  });
  return (
    <Page title="Choose a password" narrow>
      {token === '' ? (
        <Notice kind="warn" title="The link is not whole">
          <p>Copy all of it from the mail, or sign up again to get another.</p>
        </Notice>
      ) : (
        <section class="card">
          <p>With it your address is verified, and your account is ready with its first key.</p>
          <FormOf of={form} label="Choose a password" verb="Set it and sign in">
            <PasswordField chosen {...form.bind('password')} />
          </FormOf>
          {form.problem?.code === 'invalid_token' && (
            <p>
              <Link href="/dashboard/sign-up">Sign up again</Link> for another link, or{' '}
              <Link href="/dashboard/sign-in">sign in</Link> if you have verified it before.
            </p>
          )}
        </section>
      )}
    </Page>
  );
}
