// What stands around every page, and what many parts say.
import {number} from '../data/format';
import * as counted from './counted';

/** A name inside of a sentence: "the audit log", but "the API". */
function inside(name: string): string {
  return /^\p{Lu}\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

export const documentTitle = (title: string) => `${title} – Freshet`;
export const sessionEnded = 'Your session has ended. What you have typed is still here.';
export const missing = 'There is no such page';
export const missingPath = (path: string) =>
  `Nothing is at \`${path}\`. Go to the [overview](/dashboard) or the [docs](/docs).`;
export const theme = 'Theme';
export const themeOfSystem = 'System';
export const themeLight = 'Light';
export const themeDark = 'Dark';
export const goToKeys = 'Ctrl K';
export const goalQuestion = 'Where to';
export const goals = 'Places';
export const partOfGuide = (part: string, guide: string) => `${part}, in ${guide}`;
export const noEntry = 'No entry matches';
export const nothingFound = 'Nothing matches. Try fewer or other words.';
export const loading = (name: string) => `Loading ${inside(name)}…`;
export const sourceSaid = (text: string) => `The source said: “${text}”`;
export const codeMeaning = (code: string) => `What ${code} means`;
export const retryIn = (seconds: number) => `Try again in ${counted.seconds(seconds)}.`;
export const retryNow = 'You can try again now.';
export const fieldRequired = (names: readonly string[]) => `${names.join(' or ')} is required`;
export const fieldDefault = (value: string) => `Default: ${value}`;
export const fieldExample = (value: string) => `Example: ${value}`;
export const fieldUnset = 'Not set';
export const rowsRead = (rows: number) => `${counted.rows(rows)} read…`;
export const rowsSaved = (rows: number) => `${counted.rows(rows)} saved`;
export const codeInDocument = 'Code of the document';
export const tableName = (name: string) => `Table: ${name}`;
export const documentCut = (shown: number) =>
  `The first ${number(shown)} characters are shown. The JSON has the whole document.`;
