// Which browser it is, of what it says of itself.
import {fragments, terms} from '../words';

const browsers: [RegExp, string][] = [
  [/Edg\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/(?:Headless)?Chrom(?:e|ium)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).* Safari/, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox 145 on Linux" where a browser's own words say so, otherwise those. */
export function browserName(userAgent: string): string {
  const found = browsers.find(([pattern]) => pattern.test(userAgent));
  const system = systems.find(([pattern]) => pattern.test(userAgent));
  if (!found) return userAgent || terms.unknown;
  const version = found[0].exec(userAgent)?.[1] ?? '';
  const browser = `${found[1]} ${version}`;
  return system ? fragments.browserOn(browser, system[1]) : browser;
}
