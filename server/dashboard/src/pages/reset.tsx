// A forgotten password: asking for a link, and with the link's token choosing another.
import {useState} from 'preact/hooks';
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
import {OfLink} from './link';
import {LinkSent} from './sign_up';
import {Message} from '../parts/message';
import {access as words, account, actions, fragments, terms} from '../words';

function RequestForm() {
  const {session} = useSession();
  const [sent, setSent] = useState(false);
  const form = useForm({email: ''}, async values => {
    await send('reset/request', values, {quiet: true});
    setSent(true);
  });
  if (sent) return <LinkSent mail={session?.mail ?? 'smtp'} what={fragments.toReset} />;
  return (
    <section class="card">
      <FormOf
        of={form}
        label={actions.sendLink}
        verb={actions.sendLink}
        beside={<Link href="/dashboard/sign-in">{words.backToSignIn}</Link>}
      >
        <EmailField help={words.resetHelp} {...form.bind('email')} />
      </FormOf>
    </section>
  );
}

function ConfirmForm({token}: {token: string}) {
  const {take} = useSession();
  const {go} = useRouter();
  const form = useForm({password: '', code: ''}, async values => {
    const body = {token, ...values};
    take((await send<Session>('reset/confirm', body, {quiet: true})).body);
    go('/dashboard', true);
  });
  const asked = useAsked(asksForCode(form.problem));
  return (
    <section class="card">
      <FormOf of={form} label={words.newPasswordTitle} verb={actions.setPassword}>
        <PasswordField
          label={terms.newPassword}
          chosen
          more={account.othersEnd}
          {...form.bind('password')}
        />
        {asked && <ProofField {...form.bind('code')} onPasskey={() => form.onPasskey({token})} />}
      </FormOf>
      {form.problem?.code === 'invalid_token' && (
        <p>
          <Message text={words.otherLink} />
        </p>
      )}
    </section>
  );
}

export function ResetPage() {
  const {query} = useRouter();
  const token = query.get('token') ?? '';
  return (
    <Page title={token ? words.newPasswordTitle : actions.resetPassword} narrow>
      {token ? (
        <OfLink token={token} purpose={'reset'} over={words.resetOver} otherwise={<RequestForm />}>
          <ConfirmForm token={token} />
        </OfLink>
      ) : (
        <RequestForm />
      )}
    </Page>
  );
}
