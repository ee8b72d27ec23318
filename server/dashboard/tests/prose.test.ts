// What people read stands in the table of src/words: no other file has prose of its own. Code is
// text too, so this judges by place and by shape: text between tags, attributes that speak, and
// literals that look like prose.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import ts from 'typescript';
import * as words from '../src/words';

/** Whose texts are programs for people to copy. */
const ofCode = new Set(['src/data/snippets.ts', 'src/data/requests.ts']);

/** Attributes that nobody sees or hears, whatever stands in them. */
const silent = new Set(
  (
    'class style href id d viewBox for rel target type role kind key inputMode autoComplete ' +
    'autoCapitalize scope aria-hidden aria-live aria-controls aria-labelledby aria-keyshortcuts ' +
    'preserveAspectRatio text-anchor width height fill loading decoding remember tabIndex ' +
    'aria-expanded endpoint shape-rendering'
  ).split(' '),
);

/** Names of programs, headers and browsers, and classes, that look like words. */
const names = new Set([
  '(min-width: 64rem)',
  'X-Sandbox',
  'Content-Type',
  'X-Service-Credits-Used',
  'X-Service-Credits-Remaining',
  'PublicKeyCredential',
  'InvalidStateError',
  'Edge',
  'Opera',
  'Firefox',
  'Chrome',
  'Safari',
  'Android',
  'Windows',
  'Linux',
  'avatar large',
  '"tide gauge"',
]);

const hasLetters = (text: string) => /\p{L}/u.test(text);
const looksLikeProse = (text: string) =>
  /^\p{Lu}\p{Ll}/u.test(text) || /\p{L}{2,}[,:;.]? \p{L}{2,}/u.test(text);

/** Whether it is a message of the table; a file calls its own part of it `words`. */
function isMessage(node: ts.Node): node is ts.PropertyAccessExpression {
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return false;
  const area = node.expression.text;
  return Object.entries(words).some(
    ([name, table]) => (area === name || area === 'words') && node.name.text in table,
  );
}

/** Where a literal is compared, looked up or thrown, nobody reads it. */
function isUnread(node: ts.Node): boolean {
  const {parent} = node;
  if (ts.isBinaryExpression(parent)) {
    return (
      /^[!=]==$/.test(parent.operatorToken.getText()) || parent.operatorToken.getText() === 'in'
    );
  }
  if (ts.isNewExpression(parent)) return parent.expression.getText() === 'Error';
  if (ts.isArrayLiteralExpression(parent) && ts.isNewExpression(parent.parent)) {
    return parent.parent.expression.getText() === 'Set';
  }
  return (
    ts.isElementAccessExpression(parent) ||
    ts.isCaseClause(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

/** The prose of a file, each with its line. */
function proseIn(name: string, code: string): string[] {
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const add = (node: ts.Node, text: string) => {
    const {line} = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${name}:${line + 1}: ${text.replace(/\s+/g, ' ').trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxAttribute(node)) {
      const value = node.initializer;
      const isOption =
        node.name.getText() === 'value' && /^<option/.test(node.parent.parent.getText());
      if (silent.has(node.name.getText()) || isOption) {
        if (value && ts.isJsxExpression(value) && value.expression && isMessage(value.expression)) {
          add(node, `${node.getText()} is no text`);
        }
        return;
      }
      if (value && ts.isStringLiteral(value) && hasLetters(value.text))
        return add(node, value.text);
    }
    // Nor the other way round: what the server says is not a text of the table.
    if (isMessage(node) && !ts.isNewExpression(node.parent) && isUnread(node)) {
      return add(node, `${node.getText()} is compared`);
    }
    if (ts.isJsxText(node) && hasLetters(node.text)) return add(node, node.text);
    if (ts.isStringLiteralLike(node)) {
      const {text} = node;
      if (looksLikeProse(text) && !names.has(text) && !isUnread(node)) add(node, text);
    }
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(one => one.literal.text)];
      // A value between two words makes prose of them too.
      if (looksLikeProse(parts.join('7')) || parts.some(one => / \p{L}{2,}/u.test(one))) {
        add(node, node.getText());
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, {withFileTypes: true}).flatMap(one => {
    const path = `${folder}/${one.name}`;
    if (one.isDirectory()) return path === 'src/words' ? [] : filesIn(path);
    return /\.tsx?$/.test(one.name) && !ofCode.has(path) ? [path] : [];
  });
}

test('prose is found wherever people would meet it', () => {
  const found = (code: string) => proseIn('a.tsx', code).length;
  assert.equal(found('const a = <p>Deleted</p>;'), 1);
  assert.equal(found('const a = <p title="Gone" class="card large" />;'), 1);
  assert.equal(found('const a = <input placeholder="who" aria-label={"Who is it"} />;'), 2);
  assert.equal(found('const a = <Notice title={done ? "It is done" : words.waiting} />;'), 1);
  assert.equal(found('const a = [{name: "Balance"}, `${n} of ${m}`, `Keys of ${who}`];'), 3);
  assert.equal(found('setSaid("all of it is saved");'), 1);
  assert.equal(found('const a = row.mode === terms.test || item[terms.verified];'), 2);
  assert.equal(found('const a = <p class={terms.optional} />;'), 1);
  assert.equal(found('const a = <p class="card head">{words.deleted} – {n}</p>;'), 0);
  assert.equal(found('if (event.key === "Escape") go(`/dashboard/keys?id=${id}`);'), 0);
});

test('no file but the table has prose of its own', () => {
  const files = filesIn('src');
  assert.ok(files.length > 80, 'the files are found');
  assert.deepEqual(
    files.flatMap(name => proseIn(name, readFileSync(name, 'utf8'))),
    [],
  );
});
