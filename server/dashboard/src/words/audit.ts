// The operator's audit log.

export const lead = 'Every change by an operator, and every change of who may sign in.';
export const filterExample = 'Who, what or on whom';
export const empty = 'No changes yet';
export const unmatchedSoFar = 'No entry matches so far';
export const logOf = (email: string) => `Audit log of ${email}`;
