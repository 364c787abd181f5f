// An authenticator that a test's browser has: passkeys made of software, which also yield the secrets that open vaults.
import { createHmac, randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { fromBase64Url, toBase64Url } from '../../crypto/base64.ts';
import { type Credential, Passkey } from '../../testing/authenticator.ts';

interface Descriptor {
  id: ArrayBuffer;
}

interface PublicKeyOptions {
  challenge: ArrayBuffer;
  rp?: { id: string };
  rpId?: string;
  allowCredentials?: Descriptor[];
  extensions?: { prf?: { eval: { first: Uint8Array } } };
}

/** Bytes where WebAuthn has bytes; the texts of a `Credential` are their base64url. */
function asBrowsersGiveIt({ id, type, response }: Credential, prf: Uint8Array | null) {
  const bytes = (text: unknown) => fromBase64Url(String(text)).buffer;
  const { transports, ...parts } = response;
  return {
    id,
    rawId: bytes(id),
    type,
    response: {
      ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, bytes(text)])),
      getTransports: () => transports,
    },
    getClientExtensionResults: () => (prf ? { prf: { results: { first: prf } } } : {}),
  };
}

/**
 * Gives the browser of this test an authenticator, until the test ends.
 * @param options `prf`: whether its passkeys yield secrets, or do so only when they are used, not when they are made
 */
export function addAuthenticator({ prf = true }: { prf?: boolean | 'when-used' } = {}): void {
  const held: { passkey: Passkey; secret: Buffer }[] = [];

  function answer(
    credential: Credential,
    { secret }: (typeof held)[number],
    { extensions }: PublicKeyOptions,
    yields: boolean,
  ) {
    const input = extensions?.prf?.eval.first;
    const output = yields && input ? createHmac('sha256', secret).update(input).digest() : null;
    return asBrowsersGiveIt(credential, output && new Uint8Array(output));
  }
  const asTexts = (options: PublicKeyOptions) => ({
    ...options,
    challenge: toBase64Url(new Uint8Array(options.challenge)),
  });

  const credentials = {
    async create({ publicKey }: { publicKey: PublicKeyOptions }) {
      const made = { passkey: new Passkey(), secret: randomBytes(32) };
      held.push(made);
      return answer(made.passkey.create(asTexts(publicKey)), made, publicKey, prf === true);
    },
    async get({ publicKey }: { publicKey: PublicKeyOptions }) {
      const allowed = publicKey.allowCredentials?.map(({ id }) => toBase64Url(new Uint8Array(id)));
      const used = held.findLast(({ passkey }) => allowed?.includes(passkey.credentialId) ?? true);
      if (!used) throw new DOMException('there is no such passkey', 'NotAllowedError');
      return answer(used.passkey.get(asTexts(publicKey)), used, publicKey, prf !== false);
    },
  };
  const before = [
    [globalThis, 'PublicKeyCredential', class PublicKeyCredential {}],
    [navigator, 'credentials', credentials],
  ] as const;
  for (const [owner, name, value] of before) {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { value, configurable: true });
    onTestFinished(() => {
      if (own) Object.defineProperty(owner, name, own);
      else Reflect.deleteProperty(owner, name);
    });
  }
}
