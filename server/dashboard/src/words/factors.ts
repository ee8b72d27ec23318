// Second factors: codes of an authenticator, recovery codes, passkeys.
import * as counted from './counted';

export const intro = 'A code from your phone beside the password.';
export const needed = 'Operators need a second factor here.';
export const scan =
  'Scan this with an authenticator app or type its key, then enter the code it shows.';
export const qrCode = 'QR code for an authenticator';
export const on = (left: number) => `It is on. ${counted.recoveryCodes(left)} left.`;
export const next = 'One more step';
export const nextHelp = 'Enter a code, or use a passkey where you have one.';
export const codeHelp = 'The six digits from your authenticator, or a recovery code.';
export const codes = 'Recovery codes';
export const codesMade = 'The second factor is on. All other sessions have ended.';
export const codesHelp =
  'Keep these recovery codes away from the device. Each signs you in once without it, and you ' +
  'see them only now.';
export const passkeyIntro = 'Your device, or a USB key, in place of a code. It cannot be phished.';
export const passkeysCaption = 'Your passkeys';
export const passkeyNameHelp = 'What you call the device, such as “my phone”.';
export const passkeyQuestion = (name: string) => `Remove the passkey ${name}?`;
export const passkeysImpossible =
  'This browser cannot make a passkey for this address. Use a code instead.';
