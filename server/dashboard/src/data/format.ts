// Numbers as the page's own language has them, and times in the browser's language and time zone.

/** Made when it is first asked for: the first of a page reads tables for a tenth of a second. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export const timeZone = once(() => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');

const moment = once(
  () => new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'short'}),
);
const exact = once(
  () => new Intl.DateTimeFormat(undefined, {dateStyle: 'full', timeStyle: 'long'}),
);
const dayOnly = once(
  () => new Intl.DateTimeFormat(undefined, {day: 'numeric', month: 'short', timeZone: 'UTC'}),
);

/** The order of names and moments in ASCII, for which the browser need not read a language's. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** "12,345": as the words around it are English, whatever the browser's language. */
export function number(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function signed(value: number): string {
  return value > 0 ? `+${number(value)}` : number(value).replace('-', '−');
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
