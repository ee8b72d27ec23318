// Getting in: signing in and up, a forgotten password, the links that are mailed.

export const signedInAs = (email: string) => `You are signed in as ${email}.`;
export const goOn = 'Go to the [overview](/dashboard).';
export const signUpHint = 'New here? [Create account](/dashboard/sign-up), free of charge.';
export const signInHint = 'Have an account? [Sign in](/dashboard/sign-in).';
export const noPassword =
  'Not chosen a password yet? [Sign up again](/dashboard/sign-up) for another link.';
export const forgotten = 'Forgot your password?';
export const backToSignIn = 'Back to sign in';
export const resetHelp = 'If it has an account, we send a link there.';
export const newPasswordTitle = 'Choose a new password';
export const otherLink = '[Send another link](/dashboard/reset).';
export const lead = 'The free plan has credits every month and needs no card.';
export const closed = 'Sign-up is closed';
export const closedHelp = 'Ask the operator of this server for an account.';
export const emailHelpHere = 'You choose your password next.';
export const emailHelpMail = 'We send a link there, to choose your password with.';
export const sent = 'Check your mail';
export const sentHelp = (use: string) => `We sent you a link ${use}. It works once.`;
export const logged = 'Ask your operator';
export const loggedHelp = (use: string) =>
  `This server sends no mail: the link ${use} stands in its log, where its operator finds it. ` +
  'It works once.';
export const here = 'Continue here';
export const hereHelp =
  'This server sends no mail, and you are at its own machine: nobody else gets this link. ' +
  'It works once, and stands in its log too.';
export const linkMade = (email: string) => `Link made for ${email}.`;
export const linkMadeAgain = (email: string) => `Another link made for ${email}.`;
export const choosePassword = 'Choose a password';
export const passwordLead = 'This verifies your address. Your account comes with its first key.';
export const passwordRule = 'At least 10 characters, and not your address.';
export const linkCut = 'The link is incomplete';
export const linkCutHelp = 'Copy all of it from the mail, or [sign up again](/dashboard/sign-up).';
export const linkOver = 'This link is good no more';
export const verifyOver = 'It was used, or is older than 24 hours.';
export const resetOver = 'It was used, or is older than an hour. Where should another one go?';
export const verifiedBefore =
  'Have you verified your address before? [Sign in](/dashboard/sign-in) with your password.';
