// The one table of what the application says to people, a file for each part of it. No other file
// has prose of its own, and no two messages say the same: tests/words.test.ts. A message is a text,
// or a function of its values; where Message draws it, it has code and links in it.
export * as counted from './counted';
export * as terms from './terms';
export * as actions from './actions';
export * as fragments from './fragments';
export * as shell from './shell';
export * as chart from './chart';
export * as problems from './problems';
export * as access from './access';
export * as account from './account';
export * as alerts from './alerts';
export * as factors from './factors';
export * as front from './front';
export * as pitch from './pitch';
export * as firstSteps from './first_steps';
export * as overview from './overview';
export * as keys from './keys';
export * as ledger from './ledger';
export * as sources from './sources';
export * as status from './status';
export * as playground from './playground';
export * as answers from './answers';
export * as requests from './requests';
export * as docs from './docs';
export * as operator from './operator';
export * as accounts from './accounts';
export * as audit from './audit';
export * as platforms from './platforms';
