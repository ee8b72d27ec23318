// Passkeys between the server, which says bytes in base64url, and the browser, which has them as
// bytes. The browser's own functions for this are too new to rely on.

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, letter => letter.charCodeAt(0));
}

export function textOf(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), byte => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

interface Descriptor {
  type: 'public-key';
  id: string;
}

/** PublicKeyCredentialRequestOptionsJSON. */
export interface QuestionToShow {
  challenge: string;
  rpId: string;
  allowCredentials: Descriptor[];
  userVerification: UserVerificationRequirement;
  timeout: number;
}

/** PublicKeyCredentialCreationOptionsJSON. */
export interface QuestionToMake {
  challenge: string;
  rp: PublicKeyCredentialRpEntity;
  user: {id: string; name: string; displayName: string};
  pubKeyCredParams: PublicKeyCredentialParameters[];
  excludeCredentials: Descriptor[];
  authenticatorSelection: AuthenticatorSelectionCriteria;
  attestation: AttestationConveyancePreference;
  timeout: number;
}

const known = (of: Descriptor[]) => of.map(one => ({...one, id: bytesOf(one.id)}));

export function requestOf(asked: QuestionToShow): PublicKeyCredentialRequestOptions {
  const {challenge, allowCredentials} = asked;
  return {...asked, challenge: bytesOf(challenge), allowCredentials: known(allowCredentials)};
}

export function creationOf(asked: QuestionToMake): PublicKeyCredentialCreationOptions {
  return {
    ...asked,
    challenge: bytesOf(asked.challenge),
    user: {...asked.user, id: bytesOf(asked.user.id)},
    excludeCredentials: known(asked.excludeCredentials),
  };
}

/** What the server reads of an answer, as its one argument. */
export function answerOf(id: string, response: Record<string, ArrayBuffer>): string {
  const parts = Object.entries(response).map(([name, bytes]) => [name, textOf(bytes)]);
  return JSON.stringify({id, type: 'public-key', response: Object.fromEntries(parts)});
}

/** Browsers make passkeys for hosts with a name alone. */
export const hasName = (host: string) => !/^[\d.]+$|^\[/.test(host);
