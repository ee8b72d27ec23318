// What the overview warns of: the bounds, to the credit.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {budgetState, creditsState} from '../src/data/alerts';
import {overview} from '../src/words';

const period = {start: '', end: '', grant: 1000};

test('credits run low at a fifth of the month, and are used up at none', () => {
  const rows: [number, number, string][] = [
    [1000, 0, 'enough'],
    [201, 0, 'enough'],
    [200, 0, 'low'],
    [1000, 800, 'low'],
    [5, 5, 'low'],
    [0, 0, 'empty'],
  ];
  for (const [balance, reserved, state] of rows) {
    assert.equal(creditsState({balance, reserved, period}).state, state, `${balance}, ${reserved}`);
  }
  // A plan that grants nothing has nothing to run low of until it is used up.
  const granted = {balance: 3, reserved: 0, period: {...period, grant: 0}};
  assert.equal(creditsState(granted).state, 'enough');
});

test('a budget is low at a fifth and used up at none while its key is good for calls', () => {
  const now = Date.parse('2026-11-27T12:00:00Z');
  const key = {monthly_budget: 10, budget_used: 10, revoked_at: null, expires_at: null};
  const state = (more: object) => budgetState({...key, ...more}, now);
  assert.equal(state({}), 'empty');
  assert.equal(state({expires_at: '2026-11-28T00:00:00Z'}), 'empty');
  assert.equal(state({budget_used: 8}), 'low');
  assert.equal(state({budget_used: 7}), 'enough');
  assert.equal(state({monthly_budget: null}), 'enough');
  assert.equal(state({revoked_at: '2026-11-27T11:00:00Z'}), 'enough');
  assert.equal(state({expires_at: '2026-11-27T12:00:00Z'}), 'enough');
});

test('of many keys at their budgets three are named', () => {
  assert.equal(overview.budgetsReached(['a']), 'Budget used up: a');
  assert.equal(overview.budgetsReached(['a', 'b', 'c']), 'Budget used up: a, b, c');
  const many = Array.from({length: 60}, (_, at) => `key ${at}`);
  assert.equal(overview.budgetsReached(many), 'Budget used up: key 0, key 1, key 2 and 57 more');
});
