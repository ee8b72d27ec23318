// Passkeys between base64url and bytes, both ways.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {answerOf, bytesOf, creationOf, hasName, requestOf, textOf} from '../src/data/passkey';

test('bytes of every remainder go there and back', () => {
  for (const bytes of [[], [0], [251, 255], [62, 63, 64], [255, 254, 253, 252]]) {
    const text = textOf(Uint8Array.from(bytes).buffer);
    assert.match(text, /^[\w-]*$/);
    assert.deepEqual([...bytesOf(text)], bytes);
  }
  assert.equal(textOf(Uint8Array.from([251, 255]).buffer), '-_8');
});

const descriptor = {type: 'public-key' as const, id: 'AQI'};

test('a question keeps what is no bytes', () => {
  const request = requestOf({
    challenge: '-_8',
    rpId: 'localhost',
    allowCredentials: [descriptor],
    userVerification: 'preferred',
    timeout: 5,
  });
  assert.deepEqual(request.challenge, Uint8Array.from([251, 255]));
  assert.deepEqual(request.allowCredentials, [
    {type: 'public-key', id: Uint8Array.from([1, 2])},
  ]);
  assert.equal(request.rpId, 'localhost');
  const creation = creationOf({
    challenge: '-_8',
    rp: {id: 'localhost', name: 'Freshet'},
    user: {id: 'AQI', name: 'a', displayName: 'a'},
    pubKeyCredParams: [{type: 'public-key', alg: -7}],
    excludeCredentials: [descriptor],
    authenticatorSelection: {residentKey: 'preferred'},
    attestation: 'none',
    timeout: 5,
  });
  assert.deepEqual(creation.user.id, Uint8Array.from([1, 2]));
  assert.equal(creation.attestation, 'none');
});

test('an answer is one text', () => {
  const answer = answerOf('AQI', {signature: Uint8Array.from([251, 255]).buffer});
  assert.deepEqual(JSON.parse(answer), {
    id: 'AQI',
    type: 'public-key',
    response: {signature: '-_8'},
  });
});

test('an address by number has no passkeys', () => {
  for (const host of ['127.0.0.1', '[::1]']) assert.equal(hasName(host), false);
  for (const host of ['localhost', 'a.example', '1.example']) assert.equal(hasName(host), true);
});
