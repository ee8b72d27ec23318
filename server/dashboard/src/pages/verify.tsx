// The link of the mail that verifies an address: choosing the password makes the account. A program
// that only opens links does not use it up.
import {useState} from 'preact/hooks';
import {send} from '../api/http';
import type {Session} from '../api/types';
import {useRouter} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {FormOf, PasswordField, useForm} from '../parts/form';
import {Notice} from '../parts/notice';
import {Message} from '../parts/message';
import {access as words, actions} from '../words';

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
        <section class="card">
          <p>{words.passwordLead}</p>
          <FormOf of={form} label={words.choosePassword} verb={actions.setPassword}>
            <PasswordField chosen {...form.bind('password')} />
          </FormOf>
          {form.problem?.code === 'invalid_token' && (
            <p>
              <Message text={words.linkUsed} />
            </p>
          )}
        </section>
      )}
    </Page>
  );
}
