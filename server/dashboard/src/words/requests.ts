// The log of calls.
import {number} from '../data/format';

export const lead = 'Every call with your keys and from the playground, newest first.';
export const clientFault = '4xx: the call';
export const serverFault = '5xx: our side';
export const allKept = 'All that is kept';
export const lastHour = 'The last hour';
export const lastDay = 'The last day';
export const lastWeek = 'The last week';
export const liveAndTest = 'Live and test';
export const search = 'Find a call';

export const took = (ms: number) => `${number(ms)} ms`;
export const sent = 'As it was sent';
export const answered = 'What was answered';
export const unkept = 'What was sent is kept only if your operator turns that on.';
export const unmatched = 'No call matches';
export const empty = 'No calls yet';
export const noneChosen = 'Choose the account whose calls you want to see';
export const emptyHelp =
  'Make one here, without a key and for 0 credits, or copy the call for your test key from the ' +
  '[overview](/dashboard).';
