// What goes wrong before the server can say so: what it is, and what to do next.

export const page = 'Something went wrong on this page';
export const pageHelp = (message: string) =>
  `The browser said: “${message}”. Reload the page and try again.`;
export const unreachable = 'The server did not answer';
export const unreachableHelp =
  'Nothing is lost. Check your connection and that the server is running, then try again.';
export const foreign = 'Something between this page and the server answered';
export const foreignHelp = (status: number) =>
  `The answer has status ${status} and is not from Freshet. Check your proxy, then try again.`;
export const description = 'The description of the API cannot be read';
export const descriptionHelp =
  'The answer of /openapi.json is not an OpenAPI document. Check your proxy.';

export const insufficientCreditsHelp =
  'The [overview](/dashboard) says when the next credits come. The sandbox costs nothing.';

export const noRecipientHelp =
  'Enter a webhook among the alerts of your [account](/dashboard/account) and save it, or ask ' +
  'your operator to set up mail.';
export const revokedKeyHelp =
  'Create another among your [keys](/dashboard/keys), or use the one that was made in its place.';

export const passkeyKnown = 'This device already has a passkey';
export const passkeyKnownHelp = 'Use another device, or remove its passkey first.';
export const passkeyUnused = 'No passkey was used';
export const passkeyUnusedHelp = 'The browser or the device declined. Try again, or enter a code.';
export const passkeyEmpty = 'The browser gave no passkey. Try again, or use another browser.';
