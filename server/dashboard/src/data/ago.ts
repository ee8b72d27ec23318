// How long ago a moment was, or how far off it is, in the table's words: the browser's own need a
// language's tables, which it reads for a tenth of a second.
import {fragments} from '../words';

const steps = [
  ['year', 31536000],
  ['month', 2592000],
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
] as const;

export function ago(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return at;
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  if (step === undefined) return fragments.now;
  const [unit, size] = step;
  const count = Math.trunc(Math.abs(seconds) / size);
  return seconds < 0 ? fragments.past(count, unit) : fragments.future(count, unit);
}
