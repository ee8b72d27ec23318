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

type Mail = 'smtp' | 'log';

interface Asked {
  mail: Mail;
  /** Only at the server's own machine, where it sends no mail. */
  token?: string;
}

export function LinkSent({mail, what}: {mail: Mail; what: string}) {
  return (
    <Notice kind="good" title={mail === 'smtp' ? 'Check your mail' : 'Ask your operator'}>
      <p>
        {mail === 'smtp'
          ? `A link ${what} is on its way to you. It works once.`
          : `This server sends no mail: the link ${what} stands in its log, where its operator ` +
            'finds it. It works once.'}
      </p>
    </Notice>
  );
}

function HereNotice({token}: {token: string}) {
  return (
    <Notice kind="good" title="Go on here">
      <p>
        This server sends no mail, and you are at its own machine: nobody else gets this link. It
        works once, and stands in its log too.
      </p>
      <p>
        <Link class="button primary" href={`/dashboard/verify?token=${encodeURIComponent(token)}`}>
          Choose a password
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
        <LinkSent mail={asked.mail} what="to choose a password" />
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
          Send again
        </Button>
        <span class="help" role="status">
          {times > 1 ? `A new link was made for ${email}.` : `Made for ${email}.`}
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
  if (session && !session.sign_up_open) {
    return (
      <Page title="Create account" narrow>
        <Notice title="Sign-up is closed here">
          <p>Ask the operator of this server for an account.</p>
        </Notice>
      </Page>
    );
  }
  return (
    <Page
      title="Create account"
      lead="The free plan has credits every month and needs no card."
      narrow
      aside={<Pitch />}
    >
      {asked ? (
        <Sent email={form.values.email} asked={asked} again={() => ask(form.values)} />
      ) : (
        <section class="card">
          <FormOf of={form} label="Create account" verb="Create account">
            <EmailField
              help={
                session?.mail === 'log'
                  ? 'You choose your password next.'
                  : 'A link goes there, by which you choose your password.'
              }
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
