// Making an account. The answer is the same for an address that has one already. The password is
// chosen where the mail's link leads: who asks need not be who reads the mail.
import {useState} from 'preact/hooks';
import {send} from '../api/http';
import {Link} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {EmailField, FormOf, useForm} from '../parts/form';
import {Notice} from '../parts/notice';
import {Pitch} from '../parts/pitch';

export function LinkSent({mail, what}: {mail: 'smtp' | 'log'; what: string}) {
  return (
    <Notice kind="good" title={mail === 'smtp' ? 'Look at your mail' : 'Look at the server’s log'}>
      <p>
        {mail === 'smtp'
          ? `A link ${what} is on its way to you. It works once.`
          : `This server sends no mail: the link ${what} stands in its log. It works once.`}
      </p>
    </Notice>
  );
}

export function SignUpPage() {
  const {session} = useSession();
  const [sent, setSent] = useState<'smtp' | 'log' | null>(null);
  const form = useForm({email: ''}, async values => {
    const answer = await send<{mail: 'smtp' | 'log'}>('sign-up', values, {quiet: true});
    setSent(answer.body.mail);
  });
  if (session && !session.sign_up_open) {
    return (
      <Page title="Make an account" narrow>
        <Notice title="Sign-up is closed here">
          <p>Ask the operator of this server for an account.</p>
        </Notice>
      </Page>
    );
  }
  return (
    <Page
      title="Make an account"
      lead="The free plan has credits every month and needs no card."
      narrow
      aside={<Pitch />}
    >
      {sent ? (
        <LinkSent mail={sent} what="to choose a password" />
      ) : (
        <section class="card">
          <FormOf of={form} label="Make an account" verb="Make an account">
            <EmailField
              help="A link goes there, by which you choose your password."
              {...form.bind('email')}
            />
          </FormOf>
        </section>
      )}
      <p>
        You have one? <Link href="/dashboard/sign-in">Sign in</Link>.
      </p>
    </Page>
  );
}
