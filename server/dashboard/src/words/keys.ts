// Keys: what each may do, making one, replacing one, ending one.
import {number} from '../data/format';
import * as counted from './counted';

export const lead = 'One key reaches every platform. Give each program its own, with a budget.';
export const caption = 'Keys of the account';
export const empty = 'No keys yet';
export const emptyHelp =
  'Create one to call the API. A test key costs nothing and needs no network.';
export const find = 'Find a key';
export const unmatched = 'No key matches';
export const showMore = (keys: number) => `Show ${keys} more`;
export const gone = (keys: number) => `${counted.keys(keys)} revoked or expired`;
export const goneCaption = 'Revoked and expired keys';
export const fresh = 'New key';
export const rotatedEnds = 'Rotated, ends';
export const budgetUsed = 'Used up';
export const budgetLow = 'Runs low';
export const unlimited = 'No limit';

export const usedCredits = (used: number, budget: number) =>
  `${number(used)} of ${counted.credits(budget)} used`;
export const rotation = (key: string) => `Rotate ${key}`;
export const revokeQuestion = (key: string) => `Revoke ${key}?`;
export const revokeHelp = (key: string) =>
  `Every call with \`${key}\` is refused within a second. This cannot be undone. To replace a ` +
  'key without a gap, rotate it.';
