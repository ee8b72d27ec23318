// The account at a glance.
import {number} from '../data/format';
import * as counted from './counted';

export const ofMonth = (left: number, grant: number) =>
  `${number(left)} of ${number(grant)} this month`;
export const lastUntil = 'At this week’s pace they last until';
export const lastLonger = 'At this week’s pace they last beyond this month';
export const limits = (grant: number, rate: number, burst: number) =>
  `${counted.credits(grant)} a month, ${rate} requests a second, ${burst} at once`;
export const noRollOver = 'Unused credits do not roll over.';
export const nextGrant = 'The next grant is on';
export const usageHelp =
  'Only successful calls with a live key are charged. All calls are in ' +
  '[Requests](/dashboard/requests); try one in the [playground](/dashboard/playground).';
export const usedUp = 'Your credits are used up';
export const usedUpHelp = 'Calls with live keys are refused until the next grant.';
export const runningLow = 'Your credits run low';
/** However many they are, it is one notice. */
export const budgetsReached = (keys: readonly string[]) => {
  const more = keys.length - 3;
  const rest = more > 0 ? ` and ${number(more)} more` : '';
  return `Budget used up: ${keys.slice(0, 3).join(', ')}${rest}`;
};
export const budgetsReachedHelp =
  'Calls with such a key are refused until the month is over: use another of ' +
  '[your keys](/dashboard/keys).';
export const failures = 'Failures this week';
export const atLeast = (count: number) => `${number(count)} or more`;
export const latest = 'Last calls';
export const durations = 'How long calls took this week';
export const durationsHelp = (calls: number) =>
  `Of the last ${number(calls)} that succeeded; half of them, and 95 of 100, took so long at most.`;
export const within95 = '95 of 100';
