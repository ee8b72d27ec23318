// What Freshet is, in four facts.

export const name = 'About Freshet';
export const key = 'One key, every platform';
export const keyHelp = 'Microblogs, web search, pages as markdown, forums, videos, news.';
export const shape = 'One shape';
export const shapeHelp = 'The same JSON, paging and errors wherever the answer comes from.';
export const charge = 'Only success is charged';
export const chargeHelp = 'Errors, empty pages and dry runs cost nothing. The ledger proves it.';
export const sandbox = 'A sandbox';
export const sandboxHelp = 'A test key gets recorded answers, without network or credits.';
