// Whether the service answers, for everybody.
import {number} from '../data/format';

export const allAnswer = 'Everything answers';
export const someDown = 'Some sources do not answer';
export const closed = 'Calls are not taken now';
export const ok = 'Operational';
export const partial = 'Degraded';
export const down = 'Down';
export const median = (ms: number) =>
  `Half of the last hour’s calls took at most ${number(ms)} ms.`;
