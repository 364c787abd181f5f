// What is asked of authenticators, and whether their answers hold (WebAuthn). Each question is good for one answer.
// The PRF output that unwraps a vault stays in the browser and is not asked for here.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { consumeChallenge, type Purpose } from '../../http/challenge-store.ts';
import { deviceName } from '../../http/device-name.ts';
import { origin, relyingParty } from '../../http/site.ts';
import { findPasskey, type NewPasskey, notePasskeyUse } from './passkey-store.ts';

/** WebAuthn allows 1,023 bytes; in base64url. */
const CREDENTIAL_ID_MAX = 1364;
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'] as const;

// Parsing certificates is a heavy library; most processes answer for a while before anybody needs it.
export const webauthn = () => import('@simplewebauthn/server');

/** Base64url of the challenge inside a response, or null when there is none to be found. */
function challengeOf(response: unknown): string | null {
  try {
    const encoded = (response as { response: { clientDataJSON: string } }).response.clientDataJSON;
    const data = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as { challenge?: unknown };
    return typeof data.challenge === 'string' ? data.challenge : null;
  } catch {
    return null;
  }
}

/**
 * The PRF output opens the vault. A browser that posts it by mistake is refused, so that the mistake is noticed
 * before anybody's proxy or log has seen it twice.
 */
function refuseVaultSecret(response: unknown): void {
  const extensions = (response as { clientExtensionResults?: { prf?: { results?: unknown } } })
    .clientExtensionResults;
  if (extensions?.prf?.results !== undefined) {
    throw new AppError(
      'invalid-input',
      'response.clientExtensionResults.prf.results: this must never leave the browser.',
    );
  }
}

/** Takes the challenge that a response answers, once. */
export async function takeChallenge(deps: Deps, purpose: Purpose, response: unknown) {
  refuseVaultSecret(response);
  const challenge = challengeOf(response);
  const payload = challenge && (await consumeChallenge(deps, purpose, challenge));
  if (!challenge || !payload) throw new AppError('ceremony-expired');
  return { challenge, payload };
}

export async function registrationOptions(deps: Deps, uid: string, known: string[]) {
  const { generateRegistrationOptions } = await webauthn();
  const made = new Date(deps.now()).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return generateRegistrationOptions({
    rpName: 'Latebra',
    rpID: relyingParty(deps.config),
    // Shown by the browser when it asks which vault to open; no name is asked, so the date must do.
    userName: `Vault of ${made}`,
    userDisplayName: `Vault of ${made}`,
    userID: new Uint8Array(Buffer.from(uid, 'utf8')),
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Whether a new passkey comes without certificates, as asked. Verifying them would have the server fetch the
 * revocation lists that they name, wherever those are.
 */
async function isUnattested(response: unknown): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const { attestationObject } = (response as RegistrationResponseJSON).response;
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
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
  response: unknown,
): Promise<NewPasskey> {
  if (!(await isUnattested(response))) throw new AppError('unknown-passkey');
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
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
    label: `Passkey from ${deviceName(c.req.header('user-agent') ?? '')}`,
  };
}

/** Verifies the use of a known passkey and returns its account. */
export async function verifyUse(
  deps: Deps,
  c: Context,
  challenge: string,
  response: unknown,
): Promise<number> {
  const id = (response as { id?: unknown }).id;
  const passkey = typeof id === 'string' ? await findPasskey(deps, id) : undefined;
  if (!passkey) throw new AppError('unknown-passkey');
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
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
    throw new AppError('unknown-passkey');
  }
  return passkey.account_id;
}
