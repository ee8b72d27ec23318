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
import {Message} from '../parts/message';
import {OfLink} from './link';
import {access as words, actions} from '../words';

function OtherLink() {
  return (
    <>
      <p class="form-foot">
        <Link class="button primary" href="/dashboard/sign-up">
          {actions.askForLink}
        </Link>
      </p>
      <p>
        <Message text={words.verifiedBefore} />
      </p>
    </>
  );
}

export function VerifyPage() {
  const {query, go} = useRouter();
  const {take} = useSession();
  const [token] = useState(query.get('token') ?? '');
  const form = useForm({password: ''}, async ({password}) => {
    take((await send<Session>('verify', {token, password}, {quiet: true})).body);
    go('/dashboard/welcome', true);
  });
  return (
    <Page title={words.choosePassword} narrow>
      {token === '' ? (
        <Notice kind="warn" title={words.linkCut}>
          <p>
            <Message text={words.linkCutHelp} />
          </p>
        </Notice>
      ) : (
        <OfLink token={token} purpose={'verify'} over={words.verifyOver} otherwise={<OtherLink />}>
          <section class="card">
            <p>{words.passwordLead}</p>
            <FormOf of={form} label={words.choosePassword} verb={actions.setPassword}>
              <PasswordField chosen {...form.bind('password')} />
            </FormOf>
            {form.problem?.code === 'invalid_token' && <OtherLink />}
          </section>
        </OfLink>
      )}
    </Page>
  );
}
