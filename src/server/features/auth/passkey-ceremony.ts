// What is asked of authenticators, and whether their answers hold (WebAuthn). Each question is good for one answer.
// The PRF output that unwraps a vault stays in the browser and is not asked for here.
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import {
  type AuthenticationResponse,
  CREDENTIAL_ID_MAX,
  type CreationOptions,
  type RegistrationResponse,
  type RequestOptions,
} from '../../../shared/http/ceremony.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { countFailure } from '../../http/activity-store.ts';
import { consumeChallenge, type Purpose } from '../../http/challenge-store.ts';
import { deviceOf } from '../../http/device-name.ts';
import { origin, relyingParty } from '../../http/site.ts';
import { loadPasskeyLibrary } from './passkey-loading.ts';
import { findPasskey, type NewPasskey, notePasskeyUse } from './passkey-store.ts';

const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'] as const;

/** Those that every browser knows, the preferred one first: Ed25519, ES256, RS256 (IANA, "COSE Algorithms"). */
const ALGORITHMS = [-8, -7, -257];
/** How long somebody may take, in milliseconds. */
const TIMEOUT = 60_000;

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

const aChallenge = () => randomBytes(32).toString('base64url');
const publicKey = (id: string) => ({ id, type: 'public-key' as const });

/**
 * What a browser is told to make a passkey by. It is put together here, not by the library: that is large, and whoever
 * asks first must not wait until it is loaded.
 */
export function registrationOptions(deps: Deps, uid: string, known: string[]): CreationOptions {
  // Shown by the browser when it asks which vault to open; no name is asked, so the date must do: `24 Nov 2026`, without
  // the tables of languages, which take 27 ms and 8 MB at their first use.
  const name = `Vault of ${new Date(deps.now()).toUTCString().slice(5, 16)}`;
  return {
    rp: { name: 'Latebra', id: relyingParty(deps.config) },
    user: { id: Buffer.from(uid, 'utf8').toString('base64url'), name, displayName: name },
    challenge: aChallenge(),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT,
    attestation: 'none',
    excludeCredentials: known.map(publicKey),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    extensions: { credProps: true },
    hints: [],
  };
}

/** What a browser is told to use a passkey by. @param allowed only these; any that the authenticator has otherwise */
export function requestOptionsFor(deps: Deps, allowed?: string[]): RequestOptions {
  return {
    rpId: relyingParty(deps.config),
    challenge: aChallenge(),
    timeout: TIMEOUT,
    userVerification: 'required',
    ...(allowed ? { allowCredentials: allowed.map(publicKey) } : {}),
  };
}

/**
 * Whether a new passkey comes without certificates, as asked. Verifying them would have the server fetch the
 * revocation lists that they name, wherever those are.
 */
async function isUnattested({ response }: RegistrationResponse): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loadPasskeyLibrary();
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
  const { verifyRegistrationResponse } = await loadPasskeyLibrary();
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
  const { verifyAuthenticationResponse } = await loadPasskeyLibrary();
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
