// What is asked of authenticators, whatever a server wants to be asked.
import { expect, onTestFinished, test, vi } from 'vitest';
import { fromBase64Url } from '../../../crypto/base64.ts';
import type { CreationOptions, RequestOptions } from '../../../shared/http/ceremony.ts';
import { askPasskey, createPasskey, PasskeyRefused } from './passkey.ts';

const HERE = window.location.hostname;
const UID = 'dWlkIG9mIGFub3RoZXIgYWNjb3VudA';
const [FIRST, SECOND] = ['Zmlyc3Q', 'c2Vjb25k'];

const creation = (changes: Partial<CreationOptions> = {}): CreationOptions => ({
  rp: { id: HERE, name: 'Latebra' },
  user: { id: UID, name: 'a vault', displayName: 'a vault' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  extensions: {},
  hints: [],
  ...changes,
});

const request = (changes: Partial<RequestOptions> = {}): RequestOptions => ({
  rpId: HERE,
  challenge: 'Y2hhbGxlbmdl',
  userVerification: 'discouraged',
  ...changes,
});

/** An authenticator that notes what it is asked. @param id which passkey answers */
function listen(id = FIRST) {
  const bytes = fromBase64Url(id).buffer;
  const response = {
    clientDataJSON: bytes,
    attestationObject: bytes,
    authenticatorData: bytes,
    signature: bytes,
  };
  const answer = { id, rawId: bytes, type: 'public-key', response, getClientExtensionResults: () => ({}) };
  const answering = () => vi.fn(async (_: { publicKey: Record<string, unknown> }) => answer);
  const credentials = { create: answering(), get: answering() };
  for (const [owner, name, value] of [
    [globalThis, 'PublicKeyCredential', class PublicKeyCredential {}],
    [navigator, 'credentials', credentials],
  ] as const) {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { value, configurable: true });
    onTestFinished(() => {
      if (own) Object.defineProperty(owner, name, own);
      else Reflect.deleteProperty(owner, name);
    });
  }
  return credentials;
}

test.each(['example.org', 'com', `vault.${HERE}`, ''])(
  'a passkey of %j is neither made nor asked for: its secret would be another site’s as well',
  async (id) => {
    const { create, get } = listen();
    await expect(createPasskey(creation({ rp: { id, name: 'Latebra' } }))).rejects.toThrow(PasskeyRefused);
    await expect(askPasskey(request({ rpId: id }))).rejects.toThrow(/a passkey of another site/);
    expect(create).not.toHaveBeenCalled();
    expect(get).not.toHaveBeenCalled();
  },
);

test('each new passkey has a handle of its own, so that none is overwritten, and is kept and verified as this page wants', async () => {
  const { create } = listen();
  await createPasskey(creation());
  await createPasskey(creation());
  const asked = create.mock.calls.map(([{ publicKey }]) => publicKey);
  const handles = asked.map(({ user }) => new Uint8Array((user as { id: ArrayBuffer }).id));
  const given = fromBase64Url(UID);
  expect(handles[0]).toHaveLength(32);
  expect(handles[0]).not.toEqual(handles[1]);
  expect(handles).not.toContainEqual(given);
  expect(asked[0]?.authenticatorSelection).toEqual({
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  });
});

test('one passkey alone is asked for where one is meant, and no other one’s answer counts', async () => {
  const allowCredentials = [{ id: SECOND, type: 'public-key' as const }];
  const { get } = listen(FIRST);
  expect(await askPasskey(request({ allowCredentials }), FIRST)).toMatchObject({ credentialId: FIRST });
  const asked = get.mock.calls[0]?.[0].publicKey as {
    allowCredentials: { id: ArrayBuffer }[];
    userVerification: string;
  };
  expect(asked.allowCredentials.map(({ id }) => new Uint8Array(id))).toEqual([fromBase64Url(FIRST)]);
  expect(asked.userVerification).toBe('required');
  await expect(askPasskey(request({ allowCredentials }), SECOND)).rejects.toThrow(PasskeyRefused);
});
