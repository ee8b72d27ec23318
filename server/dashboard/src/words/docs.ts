// The docs around what the description of the API and the guides say themselves.
import * as counted from './counted';
import * as fragments from './fragments';

export const missing = (path: string) =>
  `The docs have nothing at \`${path}\`. Begin at the [start](/docs).`;
export const loading = 'Guides and the description of the API';
export const calling = 'Making a call';
export const callingHelp =
  'A call is a `POST` of a JSON object with a key. One key reaches every platform. A ' +
  '[test key](/dashboard/keys) reaches the sandbox, at no cost.';
export const callWithCurl = 'A call with curl';
export const answersHelp =
  'Every answer is `data`, `page` for a list, and `meta`: the request’s ID, what it cost, what ' +
  'is left, and what each source did. When one of several sources fails, `completeness` is ' +
  '`partial` and the others answer.';
export const answers = 'Answers';
export const pagesHelp =
  'Give `page.next_cursor` as `cursor` with the same parameters. Pages never repeat an item; ' +
  'on the last one `has_more` is false.';
export const creditsHelp =
  'Only a success is charged: an error, an empty first page, a dry run and a test key’s call ' +
  'cost nothing. `dry_run` tells the price, `max_credits` refuses above it, and ' +
  '`X-Service-Credits-Used` comes with every answer. The same `Idempotency-Key` and body ' +
  'within 24 hours are charged once.';
export const errorsHelp =
  'An error is a problem document with a stable `code`, a `detail` that says what to do, and a ' +
  'pointer to every wrong parameter. `402` is about money only, `429` about the rate only. See ' +
  '[all codes](/docs/errors).';
export const machines = 'For machines';
export const machinesHelp = (version: string) =>
  `Version ${version}, made from [/openapi.json](/openapi.json) (OpenAPI 3.1). Agents find ` +
  'guides and endpoints as markdown by [/llms.txt](/llms.txt).';
export const errorsLead =
  'Every error is a problem document (RFC 9457) with a stable code. None costs a credit.';
export const errorCodes = 'Error codes';
export const means = 'Means';
export const canSucceed = 'Can succeed';
export const canSucceedLater = 'Can succeed; wait as Retry-After says';
export const failsAgain = 'Fails the same way';
export const costs = 'Costs';
export const price = (credits: number, isMost: boolean) =>
  isMost ? `Up to ${counted.credits(credits)}` : counted.credits(credits);
export const eachSuccess = (credits: number, isMost: boolean) =>
  `${price(credits, isMost)} a success`;
export const oneOf = (others: readonly string[]) => `This or ${others.join(' or ')}`;
export const envelope = (objects: readonly string[]) =>
  'An envelope: `data` and `meta`. The keys of `data` are those of ' +
  `${fragments.objects(objects)}.`;
export const envelopeOfList = (objects: readonly string[]) =>
  'An envelope: `data`, `page` and `meta`. The keys of `data` are those of ' +
  `${fragments.objects(objects)}.`;
export const answer = 'An answer';
export const ownErrors = 'Errors of this call';
export const problem =
  'A problem document, which costs nothing. Any call can fail by its key, the rate or HTTP too: ' +
  '[all codes](/docs/errors).';
export const codeBlock = (at: number, part: string) => `Code ${at} of ${part}`;
export const linkToPart = (id: string) => `Link to this part: ${id}`;
export const linkTo = (name: string) => `Link to ${name}`;
export const noObject = 'There is no such object';
export const noObjectHelp = (name: string) =>
  `The API has nothing called \`${name}\`. See the [docs](/docs).`;
export const answeredBy = 'Answered by';
export const keysHelp =
  'All of them are always there. What a source does not tell is null or empty.';
export const shapeOf = (name: string) => `The shape of ${name}`;
export const choices = 'One of';
