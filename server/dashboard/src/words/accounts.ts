// An operator's accounts: finding, making and changing them, refunds and grants.
import {number, signed} from '../data/format';
import * as counted from './counted';

export const search = 'Find an account';
export const unmatched = (query: string) => `No account matches “${query}”`;
export const empty = 'No accounts yet';
export const missing = 'There is no such account';
export const parts = 'Parts of this account';
export const planChoice = (name: string, credits: number) =>
  `${name}: ${counted.credits(credits)} a month`;
export const created = (email: string, plan: string) =>
  `${email} has an account on the plan ${plan}`;
export const planChanged = (email: string, plan: string, change: number, balance: number) =>
  `${email} is on ${plan}: ${signed(change)}, balance ${number(balance)}`;
export const granted = (email: string, credits: number) =>
  `${email} was given ${counted.credits(credits)}`;
export const refunded = (request: string) => `The call ${request} was refunded`;
export const givenBack = (credits: number, balance: number) =>
  `${counted.credits(credits)} given back; the balance is ${number(balance)}`;
export const planTitle = (email: string) => `Plan of ${email}`;
export const grantTitle = (email: string) => `Give credits to ${email}`;
export const refundTitle = 'Refund a call';
export const refundOf = (call: string) => `Refund ${call}`;
export const grantHelp = 'It appears in the account’s ledger.';
export const refundHelp = 'Leave it empty for all that the call was charged.';
export const charged = (credits: number) => `The call was charged ${counted.credits(credits)}.`;
export const preview = (email: string, credits: number) =>
  `${email} gets ${counted.credits(credits)} back, and an entry in the ledger.`;
export const previewWrong = 'Give a whole number above 0.';
export const ledgerOf = (email: string) => `Ledger of ${email}`;
export const noEntries = 'No entries yet';
