// The one place that knows of one and many.
import {number} from '../data/format';

/** The noun alone, where its number stands apart. */
export const noun =
  (one: string, many = `${one}s`) =>
  (value: number) =>
    Math.abs(value) === 1 ? one : many;

export function counter(one: string, many?: string) {
  const named = noun(one, many);
  return (value: number) => `${number(value)} ${named(value)}`;
}
