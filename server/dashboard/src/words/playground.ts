// Making a call in the playground.
import * as counted from './counted';

export const lead = 'Every endpoint, with the price before the call.';
export const catalogue = 'Endpoints and parameters';
export const recent = 'Calls from this tab';
export const price = (credits: number) => `Price: ${counted.credits(credits)}`;
export const quote = (credits: number) => `This call: ${counted.credits(credits)}`;
export const sandboxPrice = 'Sandbox: 0 credits';
export const sandboxHelp =
  'Recorded answers, no network, 0 credits. Try climate, tides, “tide gauge”.';
export const missing = 'Fill in what is required';
export const refused = 'The server would refuse this call: correct the marked fields';
