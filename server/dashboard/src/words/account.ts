// A person's own page: the password, sessions, the data, leaving.

export const passwordChanged = 'Password changed. All other sessions have ended.';
export const othersEnd = 'All other sessions end.';
export const currentPassword = 'Current password';
export const thisSession = 'This one';
export const sessionsCaption = 'Where you are signed in';
export const data = 'Your data';
export const dataHelp = 'All that this server keeps of your account, as one JSON document.';
export const dataSaved = 'Saved as freshet-account.json';
export const leaveHelp = 'Export your data first: deleting the account cannot be undone.';
export const deleteQuestion = 'Delete your account?';
export const deleteHelp =
  'Your keys stop working, your sessions end, and your address and password are forgotten. ' +
  'The ledger stays under the account’s ID. This cannot be undone.';
