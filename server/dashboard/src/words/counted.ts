// Numbers with their nouns.
import {number} from '../data/format';
import {counter} from './plural';

/** A part of something: "3 of 20". */
export const of = (part: number, all: number) => `${number(part)} of ${number(all)}`;

export const replies = counter('reply', 'replies');
export const accounts = counter('account');
export const calls = counter('call');
export const credits = counter('credit');
export const days = counter('day');
export const endpoints = counter('endpoint');
export const entries = counter('entry', 'entries');
export const errors = counter('error');
export const items = counter('item');
export const keys = counter('key');
export const moreParameters = counter('more parameter');
export const notes = counter('note');
export const pages = counter('page');
export const recoveryCodes = counter('recovery code');
export const results = counter('result');
export const rows = counter('row');
export const seconds = counter('second');
export const sources = counter('source');
export const tokens = counter('token');
export const words = counter('word');
