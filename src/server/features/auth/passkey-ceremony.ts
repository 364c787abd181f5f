// What is asked of authenticators, and whether their answers hold (WebAuthn). Each question is good for one answer.
// The PRF output that unwraps a vault stays in the browser and is not asked for here.
import type { Context } from 'hono';
import * as z from 'zod/mini';
import {
  type AuthenticationResponse,
  CREDENTIAL_ID_MAX,
  type CreationOptions,
  creationOptions,
  type RegistrationResponse,
} from '../../../shared/http/ceremony.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { countFailure } from '../../http/activity-store.ts';
import { consumeChallenge, type Purpose } from '../../http/challenge-store.ts';
import { deviceOf } from '../../http/device-name.ts';
import { origin, relyingParty } from '../../http/site.ts';
import { findPasskey, type NewPasskey, notePasskeyUse } from './passkey-store.ts';

const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'] as const;

// Parsing certificates is a heavy library; most processes answer for a while before anybody needs it.
export const webauthn = () => import('@simplewebauthn/server');

type Answer = RegistrationResponse | AuthenticationResponse;

/** Base64url of the challenge inside a response, or null when there is none to be found. */
function challengeOf({ response }: Answer): string | null {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString('utf8');
    const data = JSON.parse(text) as { challenge?: unknown } | null;
    return typeof data?.challenge === 'string' ? data.challenge : null;
  } catch {
    return null;
  }
}

/** Takes the challenge that a response answers, once. */
export async function takeChallenge(deps: Deps, purpose: Purpose, response: Answer) {
  const challenge = challengeOf(response);
  const payload = challenge && (await consumeChallenge(deps, purpose, challenge));
  if (!challenge || !payload) throw new AppError('ceremony-expired');
  return { challenge, payload };
}

export async function registrationOptions(
  deps: Deps,
  uid: string,
  known: string[],
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await webauthn();
  const today = new Date(deps.now()).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const options = await generateRegistrationOptions({
    rpName: 'Latebra',
    rpID: relyingParty(deps.config),
    // Shown by the browser when it asks which vault to open; no name is asked, so the date must do.
    userName: `Vault of ${today}`,
    userDisplayName: `Vault of ${today}`,
    userID: new Uint8Array(Buffer.from(uid, 'utf8')),
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return z.parse(creationOptions, options);
}

/**
 * Whether a new passkey comes without certificates, as asked. Verifying them would have the server fetch the
 * revocation lists that they name, wherever those are.
 */
async function isUnattested({ response }: RegistrationResponse): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** Verifies a new passkey. Throws AppError for whatever does not verify. */
export async function verifyNew(
  deps: Deps,
  c: Context,
  challenge: string,
  response: RegistrationResponse,
): Promise<NewPasskey> {
  if (!(await isUnattested(response))) throw new AppError('unknown-passkey');
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin(deps.config, c),
    expectedRPID: relyingParty(deps.config),
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) throw new AppError('unknown-passkey');
  const { credential } = verified.registrationInfo;
  if (credential.id.length > CREDENTIAL_ID_MAX) throw new AppError('unknown-passkey');
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: TRANSPORTS.filter((known) => credential.transports?.includes(known)),
    label: `Passkey from ${deviceOf(c)}`,
  };
}

/** Verifies the use of a known passkey and returns its account. What fails is counted against it, as `failed`. */
export async function verifyUse(
  deps: Deps,
  c: Context,
  failed: 'failed-sign-in' | 'failed-proof',
  challenge: string,
  response: AuthenticationResponse,
): Promise<number> {
  const passkey = await findPasskey(deps, response.id);
  if (!passkey) throw new AppError('unknown-passkey');
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin(deps.config, c),
    expectedRPID: relyingParty(deps.config),
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => null);
  const counter = verified?.verified ? verified.authenticationInfo.newCounter : null;
  if (counter === null || !(await notePasskeyUse(deps, passkey.id, counter))) {
    await countFailure(
      deps,
      passkey.account_id,
      { kind: failed, way: 'passkey', device: deviceOf(c) },
      passkey.id,
    );
    throw new AppError('unknown-passkey');
  }
  return passkey.account_id;
}
