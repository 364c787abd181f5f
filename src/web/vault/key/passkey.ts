// Passkeys in this browser, and the secret that some of them yield (WebAuthn's PRF extension). The PRF output is
// taken out of every credential before anything is posted.
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
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

const NOT_USED =
  'No passkey was used. The browser’s dialog was closed or timed out, or this device has no passkey for this server. Try again, or use another way.';
const NOT_MADE =
  'No passkey was created. The browser’s dialog was closed or timed out. Try again, or choose another way.';

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

/** Asks the browser to make a passkey. @throws PasskeyCancelled */
export async function createPasskey(options: CreationOptions): Promise<PasskeyAnswer<RegistrationResponse>> {
  const optionsJSON = {
    ...options,
    extensions: { ...options.extensions, ...extensions },
  } as PublicKeyCredentialCreationOptionsJSON;
  return takeSecret(await startRegistration({ optionsJSON }).catch(explained(NOT_MADE)));
}

/** Asks the browser for a passkey that is already known. @throws PasskeyCancelled */
export async function askPasskey(options: RequestOptions): Promise<PasskeyAnswer<AuthenticationResponse>> {
  const optionsJSON = { ...options, extensions } as PublicKeyCredentialRequestOptionsJSON;
  return takeSecret(await startAuthentication({ optionsJSON }).catch(explained(NOT_USED)));
}
