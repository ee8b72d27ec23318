// Asking the browser to make a passkey or to show one. What it answers is judged by the server;
// that it would not is a problem like any other.
import {CallFailed, send} from '../api/http';
import {
  answerOf,
  creationOf,
  hasName,
  requestOf,
  type QuestionToMake,
  type QuestionToShow,
} from '../data/passkey';
import {problems} from '../words';

export const canUsePasskeys = () => 'PublicKeyCredential' in window && hasName(location.hostname);

/** What the browser gave; every refusal of its is one that nobody is told more of. */
async function asked(question: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const answer = await question;
    if (answer !== null) return answer as PublicKeyCredential;
  } catch (failure) {
    const isKnown = failure instanceof DOMException && failure.name === 'InvalidStateError';
    throw new CallFailed({
      type: 'about:blank',
      title: isKnown ? problems.passkeyKnown : problems.passkeyUnused,
      status: 0,
      detail: isKnown ? problems.passkeyKnownHelp : problems.passkeyUnusedHelp,
      code: 'no_passkey',
    });
  }
  throw new Error(problems.passkeyEmpty);
}

/** `who`: e-mail and password, or a link's token; nothing where one is signed in. */
export async function showPasskey(who: Record<string, string>): Promise<string> {
  const {body} = await send<QuestionToShow>('passkeys/ask', who, {quiet: true});
  const shown = await asked(navigator.credentials.get({publicKey: requestOf(body)}));
  const {clientDataJSON, authenticatorData, signature} =
    shown.response as AuthenticatorAssertionResponse;
  return answerOf(shown.id, {clientDataJSON, authenticatorData, signature});
}

export async function makePasskey(question: QuestionToMake): Promise<string> {
  const made = await asked(navigator.credentials.create({publicKey: creationOf(question)}));
  const response = made.response as AuthenticatorAttestationResponse;
  return answerOf(made.id, {
    clientDataJSON: response.clientDataJSON,
    authenticatorData: response.getAuthenticatorData(),
  });
}
