// Passkeys in this browser, and the secret that some of them yield (WebAuthn's PRF extension). The PRF output is
// taken out of every credential before anything is posted.
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** The one input to every PRF evaluation (docs/formats.md, "Wrap"). */
const PRF_INPUT = new TextEncoder().encode('latebra/v1/passkey-prf');

type Extensions = { prf?: { enabled?: boolean; results?: { first?: ArrayBuffer | Uint8Array } } };

export interface PasskeyAnswer {
  /** What is posted; free of the PRF output. */
  response: Record<string, unknown>;
  credentialId: string;
  /** 32 bytes that unwrap the vault key, or null if this authenticator yields none. */
  secret: Uint8Array | null;
}

/** The person closed the browser's dialog, or let it time out. Nothing has happened. */
export class PasskeyCancelled extends Error {}

function withPrf<T extends object>(options: Record<string, unknown>): T {
  return {
    ...options,
    extensions: { ...(options.extensions as object | undefined), prf: { eval: { first: PRF_INPUT } } },
  } as unknown as T;
}

function takeSecret(answer: RegistrationResponseJSON | AuthenticationResponseJSON): PasskeyAnswer {
  const { prf, ...others } = answer.clientExtensionResults as Extensions;
  const first = prf?.results?.first;
  return {
    response: { ...answer, clientExtensionResults: others },
    credentialId: answer.id,
    secret: first ? new Uint8Array(first) : null,
  };
}

function explain(error: unknown): never {
  if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) {
    throw new PasskeyCancelled();
  }
  throw error;
}

/** Asks the browser to make a passkey. @throws PasskeyCancelled */
export async function createPasskey(options: Record<string, unknown>): Promise<PasskeyAnswer> {
  const optionsJSON = withPrf<PublicKeyCredentialCreationOptionsJSON>(options);
  return takeSecret(await startRegistration({ optionsJSON }).catch(explain));
}

/** Asks the browser for a passkey that is already known. @throws PasskeyCancelled */
export async function askPasskey(options: Record<string, unknown>): Promise<PasskeyAnswer> {
  const optionsJSON = withPrf<PublicKeyCredentialRequestOptionsJSON>(options);
  return takeSecret(await startAuthentication({ optionsJSON }).catch(explain));
}
