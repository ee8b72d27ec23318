// What an account's owner is told of, and how.

export const title = 'Alerts';
export const help = 'You are told once a month of each, of a source once a day.';
export const shares = 'When so much of the month’s credits is left';
export const usedUp = 'Nothing';
export const events = 'And when';
export const keyBudgets = 'A key’s budget refuses its calls';
export const failingSources = 'A source has failed your calls for long';
export const ways = 'How';
export const mailTo = (email: string) => `By mail to ${email}`;
export const mail = 'By mail, once your address is confirmed';
export const noMail = 'No alert goes by mail here: enter a webhook.';
export const webhook = 'Webhook';
export const webhookHelp = 'A public address that takes a signed `POST`.';
export const testHelp = 'Goes where your saved alerts go, at most once a minute.';
export const testSent = (to: string[]) => `A test is on its way to ${to.join(' and ')}`;
export const saved = 'Alerts saved';
export const secret = 'Signing secret';
export const secretHelp = 'Shown once. Your program checks with it that a request is ours.';
