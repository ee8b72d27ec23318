// The health of the sources.
import {number} from '../data/format';
import * as counted from './counted';

export const lead = 'A source that refuses is paused for a while. Numbers are of the last hour.';
export const empty = 'This server has no sources';
export const inUse = (asked: number, all: number) =>
  `${number(asked)} of ${counted.sources(all)} in use.`;
export const caption = (platform: string) => `Sources: ${platform}`;
export const ok = 'In use';
export const suspended = 'Paused';
export const notConfigured = 'Not configured';
export const disabled = 'Switched off';
export const percent = (value: number) => `${number(value)} %`;
export const notInUse = (count: number) => `${counted.sources(count)} not in use`;
