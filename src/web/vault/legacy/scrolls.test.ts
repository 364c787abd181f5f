// Legacy scrolls from end to end, without a server in between: what an author makes, its recipient reads.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stretch } from '../../../crypto/argon2.ts';
import { toBase64 } from '../../../crypto/base64.ts';
import { proofHash } from '../../../crypto/claim.ts';
import { type ClientKey, createClientKey } from '../../../crypto/client-key.ts';
import { OpenError, SealError } from '../../../crypto/errors.ts';
import { vaultAddress } from '../../../crypto/identity.ts';
import { sealKeyRing } from '../../../crypto/key-ring.ts';
import { deriveScroll, newScrollKey, scrollKeyToText } from '../../../crypto/scroll.ts';
import { newSealId, seal } from '../../../crypto/seal.ts';
import {
  deriveContentKey,
  fingerprintOf,
  generateVaultKey,
  vaultKeyToHex,
} from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { createServices } from '../../api/services.tsx';
import type { StretchReply, StretchRequest } from '../key/argon2-worker.ts';
import { keepKey } from '../key/key-slot.ts';
import type { OpenVault } from '../session/vault-context.ts';
import {
  areKeysOf,
  cardLink,
  type Letter,
  makeCard,
  makePassphrase,
  makeWhisper,
  openCard,
  openLetter,
  openOwn,
  openPassphrase,
  readWhisper,
  sealAgain,
  sealLetter,
  sealOwn,
} from './scrolls.ts';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const letter: Letter = {
  v: 1,
  title: 'The well 🜏',
  content: 'It was never dry.\r\n',
  createdAt: '2026-01-13T00:00:00.000Z',
};
const edited = { ...letter, content: 'It was dry once.' };
const PASSPHRASE = 'a candle on the sill';

/** A vault in this browser, as its screens have it, and what its server says of it. */
interface Member {
  vault: OpenVault;
  key: Uint8Array;
  keys: ClientKey;
  address: string;
}

let members = 0;
/** What the server answers when a browser asks for its vault's key: the envelope, and the keys that came before. */
let kept: unknown;
let asked: string[];

/** A key of a ring that has noted nothing. */
const bare = (key: Uint8Array) => ({ key, stayed: [] });

/** Runs what a worker would. */
class StretchingWorker {
  onmessage: (message: { data: StretchReply }) => void = () => {};
  postMessage({ passphrase, salt, params }: StretchRequest) {
    void stretch(passphrase, salt, params).then((stretched) =>
      this.onmessage({ data: { ok: true, stretched } }),
    );
  }
  terminate() {}
}

beforeEach(() => {
  kept = null;
  asked = [];
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  vi.stubGlobal('window', { localStorage: storage });
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('Worker', StretchingWorker);
});

afterEach(() => vi.unstubAllGlobals());

const services = createServices({
  async fetch(path) {
    asked.push(String(path));
    return new Response(JSON.stringify(kept), { status: 200 });
  },
});

async function aMember(key: Uint8Array = generateVaultKey()): Promise<Member> {
  members += 1;
  const user = { id: `account-${members}` } as User;
  keepKey(user.id, vaultKeyToHex(key));
  const [contentKey, fingerprint] = await Promise.all([deriveContentKey(key), fingerprintOf(key)]);
  const keys = await createClientKey(key);
  const address = await vaultAddress(keys.recipient, keys.verifyingKey);
  return { vault: { ...services, user, contentKey, fingerprint }, key, keys, address };
}

/** What a released scroll's recipient is served. */
const served = (sealId: string, encryptedContent: string, wrappedKey: string | null = null) => ({
  sealId,
  encryptedContent,
  wrappedKey,
});

describe('a key card', () => {
  test('proves what the server was told a hash of, and opens the letter', async () => {
    const sealId = newSealId();
    const { scrollKey, encryptedContent, access } = await makeCard(letter, sealId);
    const link = new URL(cardLink('https://vault.example', 'QEFCQ0RFRkdISUpLTE1OTw', scrollKey));
    expect(link.pathname).toBe('/legacy/QEFCQ0RFRkdISUpLTE1OTw');
    const card = await openCard(link.hash.slice(1));
    expect(access).toEqual({ kind: 'card', claimHash: await proofHash(card.claim) });
    expect(await card.read(served(sealId, encryptedContent))).toEqual(letter);
  });

  test('opens the letter after it was edited, and not after a new card was made', async () => {
    const sealId = newSealId();
    const { scrollKey } = await makeCard(letter, sealId);
    const card = await openCard(scrollKeyToText(scrollKey));
    expect(await card.read(served(sealId, await sealAgain(edited, scrollKey, sealId)))).toEqual(edited);
    const { encryptedContent, access } = await makeCard(edited, sealId);
    expect(access.claimHash).not.toBe(await proofHash(card.claim));
    await expect(card.read(served(sealId, encryptedContent))).rejects.toThrow(OpenError);
  });

  test('opens nothing of another row, and says so when it is not whole', async () => {
    const sealId = newSealId();
    const { scrollKey, encryptedContent } = await makeCard(letter, sealId);
    const card = await openCard(scrollKeyToText(scrollKey));
    await expect(card.read(served(newSealId(), encryptedContent))).rejects.toThrow(OpenError);
    await expect(card.read({ ...served('', encryptedContent), sealId: null })).rejects.toThrow(OpenError);
    await expect(openCard(scrollKeyToText(scrollKey).slice(1))).rejects.toThrow(TypeError);
  });
});

describe('a passphrase', () => {
  test('proves what the server was told a hash of, and opens the letter, however it is spelt', async () => {
    const sealId = newSealId();
    const { encryptedContent, access } = await makePassphrase(letter, sealId, ` ${PASSPHRASE}`);
    const { stretching, claimHash, wrappedKey } = access;
    expect(stretching).toMatchObject({ memory: 65536, iterations: 3, parallelism: 1 });
    const held = await openPassphrase(`${PASSPHRASE} `, stretching);
    expect(await proofHash(held.claim)).toBe(claimHash);
    expect(await held.read(served(sealId, encryptedContent, wrappedKey))).toEqual(letter);
    await expect(held.read(served(sealId, encryptedContent))).rejects.toThrow(OpenError);
    await expect(held.read(served(newSealId(), encryptedContent, wrappedKey))).rejects.toThrow(OpenError);
  });

  test('has a salt of its own in each scroll, and another one proves and opens nothing', async () => {
    const sealId = newSealId();
    const one = await makePassphrase(letter, sealId, PASSPHRASE);
    const two = await makePassphrase(letter, sealId, PASSPHRASE);
    expect(one.access.stretching.salt).not.toBe(two.access.stretching.salt);
    expect(one.access.claimHash).not.toBe(two.access.claimHash);
    const wrong = await openPassphrase('a candle on the shelf', one.access.stretching);
    expect(await proofHash(wrong.claim)).not.toBe(one.access.claimHash);
    const { encryptedContent, access } = one;
    await expect(wrong.read(served(sealId, encryptedContent, access.wrappedKey))).rejects.toThrow(OpenError);
  });

  test('opens the letter after it was edited', async () => {
    const sealId = newSealId();
    const { scrollKey, access } = await makePassphrase(letter, sealId, PASSPHRASE);
    const held = await openPassphrase(PASSPHRASE, access.stretching);
    const again = await sealAgain(edited, scrollKey, sealId);
    expect(await held.read(served(sealId, again, access.wrappedKey))).toEqual(edited);
  });

  test.each(['memory', 'iterations'] as const)('is not stretched with less %s than is safe', async (name) => {
    const stretching = { salt: 'QEFCQ0RFRkdISUpLTE1OTw', memory: 65536, iterations: 3, parallelism: 1 };
    const weak = { ...stretching, [name]: stretching[name] - 1 };
    await expect(openPassphrase(PASSPHRASE, weak)).rejects.toThrow(RangeError);
  });
});

describe('a whisper', () => {
  const reply = (sealId: string, made: Awaited<ReturnType<typeof makeWhisper>>, to: Member) => ({
    encryptedContent: made.encryptedContent,
    envelope: made.access.envelope,
    recipientAddress: to.address,
    sealId,
    createdAt: letter.createdAt,
    releasedAt: letter.createdAt,
    openedBefore: null,
  });

  test('is read in its recipient’s vault, which learns who sent it; the ring is not asked for', async () => {
    const [from, to] = [await aMember(), await aMember()];
    const sealId = newSealId();
    expect(await areKeysOf(to.address, to.keys)).toBe(true);
    const made = await makeWhisper(letter, sealId, from.vault, to);
    const read = await readWhisper(reply(sealId, made, to), to.vault);
    expect(read).toEqual({ letter, senderAddress: from.address });
    expect(asked).toEqual([]);
  });

  test('is read as well after its recipient’s key was changed, twice', async () => {
    const [from, to] = [await aMember(), await aMember()];
    const sealId = newSealId();
    const made = await makeWhisper(letter, sealId, from.vault, to);
    const now = await aMember();
    const keyRing = await sealKeyRing([to.key, generateVaultKey()].map(bare), now.vault.contentKey);
    kept = { clientKey: now.keys, keyRing, createdAt: letter.createdAt };
    const read = await readWhisper(reply(sealId, made, to), now.vault);
    expect(read).toEqual({ letter, senderAddress: from.address });
  });

  test('does not open at an address that this vault never had', async () => {
    const [from, to, other] = [await aMember(), await aMember(), await aMember()];
    const sealId = newSealId();
    const made = await makeWhisper(letter, sealId, from.vault, to);
    await expect(readWhisper(reply(sealId, made, to), other.vault)).rejects.toThrow(OpenError);
    await expect(readWhisper(reply(sealId, made, other), other.vault)).rejects.toThrow(OpenError);
    await expect(readWhisper(reply(sealId, made, other), to.vault)).rejects.toThrow(OpenError);
  });

  test('that was edited needs a new signature, and keeps its key', async () => {
    const [from, to] = [await aMember(), await aMember()];
    const sealId = newSealId();
    const first = await makeWhisper(letter, sealId, from.vault, to);
    const unsigned = {
      ...first,
      encryptedContent: await sealAgain(edited, first.scrollKey, sealId),
    };
    await expect(readWhisper(reply(sealId, unsigned, to), to.vault)).rejects.toThrow(OpenError);
    const again = await makeWhisper(edited, sealId, from.vault, to, first.scrollKey);
    expect(again.scrollKey).toEqual(first.scrollKey);
    const read = await readWhisper(reply(sealId, again, to), to.vault);
    expect(read.letter).toEqual(edited);
  });

  test('is not sealed to keys that are not those of the address', async () => {
    const [from, to, other] = [await aMember(), await aMember(), await aMember()];
    expect(await areKeysOf(to.address, other.keys)).toBe(false);
    const attempt = { address: to.address, keys: other.keys };
    await expect(makeWhisper(letter, newSealId(), from.vault, attempt)).rejects.toThrow(SealError);
  });
});

describe('the author’s own copy', () => {
  async function aRow(author: Member): Promise<Scroll> {
    const sealId = newSealId();
    const { scrollKey, encryptedContent } = await makeCard(letter, sealId);
    const own = await sealOwn(letter.title, scrollKey, sealId, author.vault);
    return { ...own, encryptedContent, sealId, keyFingerprint: author.vault.fingerprint } as Scroll;
  }

  test('gives the title, the key for another card, and the letter', async () => {
    const author = await aMember();
    const row = await aRow(author);
    const { title, scrollKey, letter: read } = await openOwn(row, author.vault);
    expect([title, read]).toEqual([letter.title, letter]);
    const card = await openCard(scrollKeyToText(scrollKey ?? newScrollKey()));
    expect(await card.read(served(row.sealId ?? '', row.encryptedContent))).toEqual(letter);
    expect(JSON.stringify(row)).not.toContain(scrollKeyToText(scrollKey ?? newScrollKey()));
  });

  test('does not open in another vault, or in another row', async () => {
    const [author, other] = [await aMember(), await aMember()];
    const [row, second] = [await aRow(author), await aRow(author)];
    const nothing = { title: null, scrollKey: null, letter: null, outside: false };
    const foreign = { ...row, keyFingerprint: other.vault.fingerprint };
    expect(await openOwn(foreign, other.vault)).toEqual(nothing);
    expect(await openOwn({ ...row, sealId: second.sealId }, author.vault)).toEqual(nothing);
    const swapped = { ...row, encryptedScrollKey: second.encryptedScrollKey };
    expect(await openOwn(swapped, author.vault)).toEqual(nothing);
  });

  test('gives what it can where the letter is damaged, or was written without a key of its own', async () => {
    const author = await aMember();
    const row = await aRow(author);
    const damaged = await openOwn({ ...row, encryptedContent: 'AAAA' }, author.vault);
    expect(damaged).toEqual({
      title: letter.title,
      scrollKey: expect.any(Uint8Array),
      letter: null,
      outside: false,
    });
    const keyless = await openOwn({ ...row, encryptedScrollKey: null }, author.vault);
    expect(keyless).toEqual({ title: letter.title, scrollKey: null, letter: null, outside: false });
  });

  test('opens with a key of the ring after the vault’s key was changed', async () => {
    const author = await aMember();
    const row = await aRow(author);
    const now = await aMember();
    const noted = [{ key: author.key, stayed: [row.sealId ?? ''] }];
    const keyRing = await sealKeyRing(noted, now.vault.contentKey);
    kept = { clientKey: now.keys, keyRing, createdAt: letter.createdAt };
    expect(await openOwn(row, now.vault)).toMatchObject({ title: letter.title, letter, outside: false });
  });

  test('is taken for somebody else’s when it lies under an older key that has not noted it', async () => {
    const author = await aMember();
    const row = await aRow(author);
    const now = await aMember();
    const keyRing = await sealKeyRing([bare(author.key)], now.vault.contentKey);
    kept = { clientKey: now.keys, keyRing, createdAt: letter.createdAt };
    expect(await openOwn(row, now.vault)).toMatchObject({ title: letter.title, letter, outside: true });
  });
});

describe('a letter', () => {
  test('is bound to its row', async () => {
    const { contentKey } = await deriveScroll(newScrollKey());
    const sealId = newSealId();
    const sealed = await sealLetter(letter, contentKey, sealId);
    expect(await openLetter(sealed, contentKey, sealId)).toEqual(letter);
    await expect(openLetter(sealed, contentKey, newSealId())).rejects.toThrow(OpenError);
    await expect(openLetter(sealed, contentKey, null)).rejects.toThrow(OpenError);
    await expect(openLetter(toBase64(new Uint8Array(284)), contentKey, sealId)).rejects.toThrow(OpenError);
  });

  test.each([
    '',
    'words',
    'null',
    '[]',
    JSON.stringify({ ...letter, v: 2 }),
    JSON.stringify({ ...letter, title: undefined }),
    JSON.stringify({ ...letter, content: 7 }),
  ])('of a shape that is not known here does not open: %s', async (text) => {
    const { contentKey } = await deriveScroll(newScrollKey());
    const sealId = newSealId();
    const context = { kind: 'legacy-scroll', field: 'encryptedContent', sealId };
    const sealed = await seal(text, contentKey, context);
    await expect(openLetter(sealed, contentKey, sealId)).rejects.toThrow(OpenError);
  });
});
