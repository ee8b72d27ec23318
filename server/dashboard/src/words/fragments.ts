// What stands behind or inside of something else in its line, so in lower case.
import {number} from '../data/format';
import * as counted from './counted';
import {noun} from './plural';

/** Each a link to its page: "Post, Video or Article". */
export function objects(names: readonly string[]): string {
  const links = names.map(name => `[${name}](/docs/objects/${name})`);
  return [links.slice(0, -1).join(', '), links.slice(-1)]
    .filter(one => one.length > 0)
    .join(' or ');
}

export const credits = noun('credit');
export const items = noun('item');
export const folded = (count: number, isList: boolean) =>
  isList ? counted.items(count) : counted.keys(count);
export const left = 'left';
export const daysLeft = noun('day left', 'days left');
export const accountSince = (id: string) => `, \`${id}\`, since`;
export const toChoose = 'to choose a password';
export const toReset = 'to choose another password';
export const sessionOf = (browser: string) => `the session of ${browser}`;
export const passkeyOf = (name: string) => `the passkey ${name}`;
export const grantOf = (email: string) => `of ${email}`;
export const from = (address: string) => `from ${address}`;
export const besides = (granted: number) => `, plus ${number(granted)} granted`;
export const held = (credits: number) => `; ${counted.credits(credits)} held for running calls`;
export const goalDocs = (kind: string) => `docs, ${kind}`;
export const parameterOf = (name: string, path: string) => `${name} in ${path}`;
export const moreValues = (left: number) => `${number(left)} more`;
export const rank = (rank: number | null) => `rank ${rank ?? '–'}`;
export const generated = 'generated';
export const lastChanged = (day: string) => `changed ${day}`;
export const sensitive = 'sensitive';
export const scope = (name: string) => `scope \`${name}\``;
export const listOf = (type: string) => `list of ${type}`;
export const values = 'values';
export const alternatives = (types: readonly string[]) => types.join(' or ');
export const between = (least: string, most: string) => `${least} to ${most}`;
export const atLeast = (least: string) => `at least ${least}`;
export const atMost = (most: string) => `at most ${most}`;
export const characters = (bound: string) => `${bound} characters`;
export const valueCount = (bound: string) => `${bound} values`;
export const now = 'now';
const lastOne: Record<string, string> = {
  day: 'yesterday',
  month: 'last month',
  year: 'last year',
};
const nextOne: Record<string, string> = {day: 'tomorrow', month: 'next month', year: 'next year'};
export const past = (count: number, unit: string) =>
  (count === 1 && lastOne[unit]) || `${number(count)} ${noun(unit)(count)} ago`;
export const future = (count: number, unit: string) =>
  (count === 1 && nextOne[unit]) || `in ${number(count)} ${noun(unit)(count)}`;
export const replayed = '(answered again)';
export const askedAgain = (seconds: number) => `, asked again in ${counted.seconds(seconds)}`;
export const milliseconds = 'ms';
export const durationHelp = (p95: number) =>
  `at most, for half of them; ${number(p95)} ms for 95 of 100`;
export const browserOn = (browser: string, system: string) => `${browser} on ${system}`;
export const image = (description: string) => `[image: ${description || 'no description'}]`;
export const listOfObjects = (names: readonly string[]) => `answers a list of ${objects(names)}`;
export const oneObject = (names: readonly string[]) => `answers one ${objects(names)}`;
