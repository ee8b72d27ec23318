// The ledger and its verification.
import * as counted from './counted';

export const lead =
  'Every movement of credits, newest first. Each entry’s hash covers the one before it.';
export const caption = 'The ledger';
export const verify = 'Verify it';
export const head = 'Head';
export const knownHead = 'A head that you have kept';
export const knownHeadHelp = 'From the last time. Only the entries after it are read.';
export const soFar = (entries: number) => `${counted.entries(entries)} so far…`;
export const verified = (entries: number) => `${counted.entries(entries)} verified`;
export const verifiedHelp = (balance: number) =>
  `Everything is as it was booked. Your balance is ${counted.credits(balance)}.`;
export const headHelp =
  'Keep this head: with it, the next verification proves that no entry was rewritten.';
export const broken = 'This is not what was booked';
export const brokenHelp = 'Send these lines to your operator.';
