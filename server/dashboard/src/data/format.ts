// Numbers and times as people read them, in the browser's own language and time zone.

/** Made when it is first asked for: each reads tables of the browser's, and few pages need all. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export const timeZone = once(() => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');

const whole = once(() => new Intl.NumberFormat(undefined, {maximumFractionDigits: 0}));
const moment = once(
  () => new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'short'}),
);
const exact = once(
  () => new Intl.DateTimeFormat(undefined, {dateStyle: 'full', timeStyle: 'long'}),
);
const dayOnly = once(
  () => new Intl.DateTimeFormat(undefined, {day: 'numeric', month: 'short', timeZone: 'UTC'}),
);
const relative = once(() => new Intl.RelativeTimeFormat(undefined, {numeric: 'auto'}));

/** The order of names and moments in ASCII, for which the browser need not read a language's. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export function number(value: number): string {
  return whole().format(value);
}

export function signed(value: number): string {
  return value > 0 ? `+${whole().format(value)}` : whole().format(value).replace('-', '−');
}

/** A count's name beside its number: "likes", "1 like", "1 reply". */
export function countName(name: string, value: number): string {
  const words = name.replaceAll('_', ' ');
  if (value !== 1 || !words.endsWith('s')) return words;
  return words.endsWith('ies') ? `${words.slice(0, -3)}y` : words.slice(0, -1);
}

export function time(at: string): string {
  const read = new Date(at);
  return Number.isNaN(read.getTime()) ? at : moment().format(read);
}

export function exactTime(at: string): string {
  const read = new Date(at);
  return Number.isNaN(read.getTime()) ? at : exact().format(read);
}

/** "2026-11-22" as "22 Nov"; the day is already that of the reader. */
export function day(date: string): string {
  const read = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(read.getTime()) ? date : dayOnly().format(read);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31536000],
  ['month', 2592000],
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
];

export function ago(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return at;
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative().format(Math.trunc(seconds / size), unit);
  }
  return relative().format(0, 'second');
}

/** Whole days until `end`, rounded up; 0 when it has passed. */
export function daysLeft(end: string, now = Date.now()): number {
  return Math.max(0, Math.ceil((new Date(end).getTime() - now) / 86400000));
}

export function duration(seconds: number): string {
  const rounded = Math.round(seconds);
  const parts = [Math.floor(rounded / 3600), Math.floor(rounded / 60) % 60, rounded % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, i) => (i ? String(part).padStart(2, '0') : String(part))).join(':');
}
