// Passkeys in this browser, and the secret that some of them yield (WebAuthn's PRF extension). The PRF output is
// taken out of every credential before anything is posted. Of what a server asks for, only what may be its choice is passed
// on (docs/decisions/0192): whose passkey it is, and which one, decides who can open the vault.
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { toBase64Url } from '../../../crypto/base64.ts';
import type {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from '../../../shared/http/ceremony.ts';

/** The one input to every PRF evaluation (docs/formats.md, "Wrap"). */
const PRF_INPUT = new TextEncoder().encode('latebra/v1/passkey-prf');

type Outputs = { prf?: { results?: { first?: ArrayBuffer | Uint8Array } }; credProps?: { rk?: boolean } };

export interface PasskeyAnswer<Response> {
  /** What is posted; free of the PRF output. */
  response: Response;
  credentialId: string;
  /** 32 bytes that unwrap the vault key, or null if this authenticator yields none. */
  secret: Uint8Array | null;
}

/**
 * The browser gave no passkey: its dialog was closed or timed out, or there is none here. It does not say which.
 * Nothing has happened; the message tells the person so.
 */
export class PasskeyCancelled extends Error {}

/** The server asked for what this browser asks of no passkey, or another passkey answered. The message says so. */
export class PasskeyRefused extends PasskeyCancelled {}

const NOT_USED =
  'No passkey was used. The browser’s dialog was closed or timed out, or this device has no passkey for this server. Try again, or use another way.';
const NOT_MADE =
  'No passkey was created. The browser’s dialog was closed or timed out. Try again, or choose another way.';

const OF_ANOTHER_SITE =
  'This server asked for a passkey of another site, which could then open your vault. No passkey was used. Do not go on here until you know why.';
const ANOTHER_ONE =
  'Another passkey answered than the one that was asked for. Nothing was changed. Try again with that one.';

/** An honest server names the host of its own pages (server/http/site.ts, `relyingParty`). @throws PasskeyRefused */
function expectThisSite(relyingParty: string): void {
  if (relyingParty !== window.location.hostname) throw new PasskeyRefused(OF_ANOTHER_SITE);
}

/**
 * A handle of its own for each passkey: authenticators overwrite the one that they have under the same handle. The server
 * finds an account by the passkey's id alone.
 */
const newHandle = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

const extensions = { prf: { eval: { first: PRF_INPUT } } };

function takeSecret<Answer extends { id: string; clientExtensionResults: object }>(answer: Answer) {
  const { clientExtensionResults, ...others } = answer;
  const { prf, credProps } = clientExtensionResults as Outputs;
  const first = prf?.results?.first;
  return {
    // Only what the server asked for: other extensions have secrets of their own.
    response: { ...others, clientExtensionResults: credProps ? { credProps } : {} },
    credentialId: answer.id,
    secret: first ? new Uint8Array(first) : null,
  };
}

const explained = (sentence: string) => (error: unknown) => {
  if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) {
    throw new PasskeyCancelled(sentence);
  }
  throw error;
};

/** Asks the browser to make a passkey. @throws PasskeyCancelled; PasskeyRefused for one of another site */
export async function createPasskey(options: CreationOptions): Promise<PasskeyAnswer<RegistrationResponse>> {
  expectThisSite(options.rp.id);
  const optionsJSON = {
    ...options,
    user: { ...options.user, id: newHandle() },
    authenticatorSelection: {
      ...{ residentKey: 'required', requireResidentKey: true },
      userVerification: 'required',
    },
    extensions: { ...options.extensions, ...extensions },
  } as PublicKeyCredentialCreationOptionsJSON;
  return takeSecret(await startRegistration({ optionsJSON }).catch(explained(NOT_MADE)));
}

/**
 * Asks the browser for a passkey that is already known.
 * @param only the one that must answer; absent where any of those that the server names may
 * @throws PasskeyCancelled; PasskeyRefused for one of another site, or when another one has answered
 */
export async function askPasskey(
  options: RequestOptions,
  only?: string,
): Promise<PasskeyAnswer<AuthenticationResponse>> {
  expectThisSite(options.rpId);
  const optionsJSON = {
    ...options,
    ...(only !== undefined && { allowCredentials: [{ id: only, type: 'public-key' }] }),
    // Another secret is yielded without it.
    userVerification: 'required',
    extensions,
  } as PublicKeyCredentialRequestOptionsJSON;
  const answer = takeSecret(await startAuthentication({ optionsJSON }).catch(explained(NOT_USED)));
  if (only !== undefined && answer.credentialId !== only) throw new PasskeyRefused(ANOTHER_ONE);
  return answer;
}
