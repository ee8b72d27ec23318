// Making an account. The answer is the same for an address that has one already. The password is
// chosen where the mail's link leads: who asks need not be who reads the mail. A server that sends
// no mail hands the link to who sits at its own machine, and to nobody else.
import {useState} from 'preact/hooks';
import {send} from '../api/http';
import {useAttempt} from '../app/loading';
import {Link} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import {Button} from '../parts/controls';
import {EmailField, FormOf, useForm} from '../parts/form';
import {Notice, ProblemNotice} from '../parts/notice';
import {Pitch} from '../parts/pitch';
import {Message} from '../parts/message';
import {SignedIn} from './sign_in';
import {access as words, actions, fragments} from '../words';

type Mail = 'smtp' | 'log';

interface Asked {
  mail: Mail;
  /** Only at the server's own machine, where it sends no mail. */
  token?: string;
}

export function LinkSent({mail, what}: {mail: Mail; what: string}) {
  return (
    <Notice kind="good" title={mail === 'smtp' ? words.sent : words.logged}>
      <p>{mail === 'smtp' ? words.sentHelp(what) : words.loggedHelp(what)}</p>
    </Notice>
  );
}

function HereNotice({token}: {token: string}) {
  return (
    <Notice kind="good" title={words.here}>
      <p>{words.hereHelp}</p>
      <p>
        <Link class="button primary" href={`/dashboard/verify?token=${encodeURIComponent(token)}`}>
          {words.choosePassword}
        </Link>
      </p>
    </Notice>
  );
}

/** What to do next, and the way back for a link that does not come. */
function Sent({email, asked, again}: {email: string; asked: Asked; again(): Promise<void>}) {
  const {problem, busy, attempt} = useAttempt();
  const [times, setTimes] = useState(1);
  return (
    <>
      {asked.token ? (
        <HereNotice token={asked.token} />
      ) : (
        <LinkSent mail={asked.mail} what={fragments.toChoose} />
      )}
      <ProblemNotice problem={problem} />
      <p class="form-foot">
        <Button
          aria-disabled={busy}
          onClick={() =>
            void attempt(async () => {
              await again();
              setTimes(times + 1);
            }, true)
          }
        >
          {actions.sendAgain}
        </Button>
        <span class="help" role="status">
          {times > 1 ? words.linkMadeAgain(email) : words.linkMade(email)}
        </span>
      </p>
    </>
  );
}

export function SignUpPage() {
  const {session} = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = async (values: {email: string}) =>
    setAsked((await send<Asked>('sign-up', values, {quiet: true})).body);
  const form = useForm({email: ''}, ask);
  if (session?.account) {
    return (
      <Page title={actions.createAccount} narrow aside={<Pitch />}>
        <SignedIn email={session.account.email} />
      </Page>
    );
  }
  if (session && !session.sign_up_open) {
    return (
      <Page title={actions.createAccount} narrow>
        <Notice title={words.closed}>
          <p>{words.closedHelp}</p>
        </Notice>
      </Page>
    );
  }
  return (
    <Page title={actions.createAccount} lead={words.lead} narrow aside={<Pitch />}>
      {asked ? (
        <Sent email={form.values.email} asked={asked} again={() => ask(form.values)} />
      ) : (
        <section class="card">
          <FormOf of={form} label={actions.createAccount} verb={actions.createAccount}>
            <EmailField
              help={session?.mail === 'log' ? words.emailHelpHere : words.emailHelpMail}
              {...form.bind('email')}
            />
          </FormOf>
        </section>
      )}
      <p>
        <Message text={words.signInHint} />
      </p>
    </Page>
  );
}
