// The link of the mail that verifies an address. It asks for a click, so that a program that only
// opens links does not use it up.
import {useState} from 'preact/hooks';
import {send} from '../api/http';
import type {Session} from '../api/types';
import {Link, useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {Submit} from '../parts/controls';
import {Form, useForm} from '../parts/form';
import {Notice} from '../parts/notice';

export function VerifyPage() {
  const {query, go} = useRouter();
  const {take} = useSession();
  const [token] = useState(query.get('token') ?? '');
  const form = useForm({}, async () => {
    take((await send<Session>('verify', {token}, {quiet: true})).body);
    go('/dashboard/welcome', true);
  });
  return (
    <Page title="Verify your address" narrow>
      {token === '' ? (
        <Notice kind="warn" title="The link is not whole">
          <p>Copy all of it from the mail, or sign up again to get another.</p>
        </Notice>
      ) : (
        <section class="card">
          <Form {...form} label="Verify your address">
            <p>One click, and your account is ready with its first key.</p>
            <Submit busy={form.busy}>Verify and sign in</Submit>
          </Form>
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
