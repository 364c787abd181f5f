// Legacy scrolls from end to end, without a server in between: what an author makes, its recipient reads.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stretch } from '../../../crypto/argon2.ts';
import { toBase64 } from '../../../crypto/base64.ts';
import { proofHash } from '../../../crypto/claim.ts';
import { type ClientKey, createClientKey } from '../../../crypto/client-key.ts';
import { OpenError, SealError } from '../../../crypto/errors.ts';
import { vaultAddress } from '../../../crypto/identity.ts';
import { sealKeyRing } from '../../../crypto/key-ring.ts';
import { PASSPHRASE_FLOOR } from '../../../crypto/passphrase.ts';
import {
  deriveCardKey,
  deriveContentKey as deriveLetterContentKey,
  deriveLetterKey,
  newRecipientNumber,
  newScrollKey,
  scrollKeyToText,
} from '../../../crypto/scroll.ts';
import { newSealId, seal } from '../../../crypto/seal.ts';
import {
  deriveContentKey,
  fingerprintOf,
  generateVaultKey,
  vaultKeyToHex,
} from '../../../crypto/vault-key.ts';
import type { User } from '../../../shared/nouns/account.ts';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import type { WhisperEnvelope } from '../../../shared/nouns/scroll-recipients.ts';
import {
  type Letter,
  openCard,
  openLetter,
  openPassphrase,
  sealLetter,
} from '../../../vault/legacy/letter.ts';
import {
  cardLink,
  makeCard,
  makePassphrase,
  openOwn,
  sealOwn,
  sealUnder,
} from '../../../vault/legacy/scrolls.ts';
import { areKeysOf, makeWhisper, readWhisper } from '../../../vault/legacy/whispers.ts';
import { createServices } from '../../api/services.tsx';
import { keepKey } from '../device/key-slot.ts';
import { factsFor } from '../entries/testing/sealing.ts';
import type { StretchReply, StretchRequest } from '../key/argon2-worker.ts';
import { openVaultOf } from '../key/open-vault.ts';
import { stretchPassphrase } from '../key/stretch-passphrase.ts';
import type { OpenVault } from '../session/vault-context.ts';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const letter: Letter = {
  v: 1,
  title: 'The well 🜏',
  content: 'It was never dry.\r\n',
  createdAt: '2026-01-13T00:00:00.000Z',
  authorName: null,
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
  return { vault: openVaultOf(services, user, { contentKey, fingerprint }), key, keys, address };
}

/** What a released scroll's recipient is served. */
const served = (sealId: string, encryptedContent: string, wrappedKey: string) => ({
  sealId,
  encryptedContent,
  wrappedKey,
});

/** A letter under a new scroll key. */
async function aScroll() {
  const [scrollKey, sealId] = [newScrollKey(), newSealId()];
  return { scrollKey, sealId, encryptedContent: await sealUnder(scrollKey, letter, sealId) };
}

/** What stands on a card. */
const textOf = async (scrollKey: Uint8Array, { cardNumber }: { cardNumber: string }) =>
  scrollKeyToText(await deriveCardKey(scrollKey, cardNumber));

describe('a key card', () => {
  test('proves what the server was told a hash of, and opens the letter', async () => {
    const { scrollKey, sealId, encryptedContent } = await aScroll();
    const access = await makeCard(scrollKey, sealId);
    const key = await textOf(scrollKey, access);
    const link = new URL(cardLink('https://vault.example', 'QEFCQ0RFRkdISUpLTE1OTw', key));
    expect(link.pathname).toBe('/legacy/QEFCQ0RFRkdISUpLTE1OTw');
    const card = await openCard(link.hash.slice(1));
    expect(access).toMatchObject({ kind: 'card', claimHash: await proofHash(card.claim) });
    expect((await card.read(served(sealId, encryptedContent, access.wrappedKey))).letter).toEqual(letter);
  });

  test('opens the letter after it was edited, and nothing with another recipient’s wrapped key', async () => {
    const { scrollKey, sealId, encryptedContent } = await aScroll();
    const [one, two] = [await makeCard(scrollKey, sealId), await makeCard(scrollKey, sealId)];
    const card = await openCard(await textOf(scrollKey, one));
    const again = await sealUnder(scrollKey, edited, sealId);
    expect((await card.read(served(sealId, again, one.wrappedKey))).letter).toEqual(edited);
    expect(two.claimHash).not.toBe(one.claimHash);
    await expect(card.read(served(sealId, encryptedContent, two.wrappedKey))).rejects.toThrow(OpenError);
  });

  test('opens nothing of another row, and says so when it is not whole', async () => {
    const { scrollKey, sealId, encryptedContent } = await aScroll();
    const access = await makeCard(scrollKey, sealId);
    const key = await textOf(scrollKey, access);
    const card = await openCard(key);
    const other = served(newSealId(), encryptedContent, access.wrappedKey);
    await expect(card.read(other)).rejects.toThrow(OpenError);
    await expect(card.read({ ...other, sealId: null })).rejects.toThrow(OpenError);
    await expect(openCard(key.slice(1))).rejects.toThrow(TypeError);
  });

  test('says nothing of the scroll’s own key', async () => {
    const { scrollKey, sealId } = await aScroll();
    const access = await makeCard(scrollKey, sealId);
    expect(JSON.stringify(access)).not.toContain(scrollKeyToText(scrollKey));
    expect(await textOf(scrollKey, access)).not.toBe(scrollKeyToText(scrollKey));
  });
});

describe('a passphrase', () => {
  test('proves what the server was told a hash of, and opens the letter, however it is spelt', {
    tags: 'long',
  }, async () => {
    const { scrollKey, sealId, encryptedContent } = await aScroll();
    const access = await makePassphrase(scrollKey, sealId, ` ${PASSPHRASE}`, stretchPassphrase);
    const { stretching, claimHash, wrappedKey } = access;
    expect(stretching).toMatchObject({ memory: 65536, iterations: 3, parallelism: 1 });
    const held = await openPassphrase(`${PASSPHRASE} `, stretching, stretchPassphrase);
    expect(await proofHash(held.claim)).toBe(claimHash);
    expect((await held.read(served(sealId, encryptedContent, wrappedKey))).letter).toEqual(letter);
    await expect(held.read(served(newSealId(), encryptedContent, wrappedKey))).rejects.toThrow(OpenError);
    const again = await sealUnder(scrollKey, edited, sealId);
    expect((await held.read(served(sealId, again, wrappedKey))).letter).toEqual(edited);
  });

  test('has a salt of its own for each recipient, and another one proves and opens nothing', {
    tags: 'long',
  }, async () => {
    const { scrollKey, sealId, encryptedContent } = await aScroll();
    const one = await makePassphrase(scrollKey, sealId, PASSPHRASE, stretchPassphrase);
    const two = await makePassphrase(scrollKey, sealId, PASSPHRASE, stretchPassphrase);
    expect(one.stretching.salt).not.toBe(two.stretching.salt);
    expect(one.claimHash).not.toBe(two.claimHash);
    const wrong = await openPassphrase('a candle on the shelf', one.stretching, stretchPassphrase);
    expect(await proofHash(wrong.claim)).not.toBe(one.claimHash);
    await expect(wrong.read(served(sealId, encryptedContent, one.wrappedKey))).rejects.toThrow(OpenError);
  });

  test.each(['memory', 'iterations'] as const)('is not stretched with less %s than is safe', async (name) => {
    const weak = { salt: 'QEFCQ0RFRkdISUpLTE1OTw', ...PASSPHRASE_FLOOR, [name]: PASSPHRASE_FLOOR[name] - 1 };
    await expect(openPassphrase(PASSPHRASE, weak, stretchPassphrase)).rejects.toThrow(RangeError);
  });
});

describe('a whisper', () => {
  type Made = Awaited<ReturnType<typeof aScroll>> & { envelope: WhisperEnvelope };
  const reply = ({ sealId, encryptedContent, envelope }: Made, to: Member) => ({
    encryptedContent,
    envelope,
    recipientAddress: to.address,
    sealId,
    createdAt: letter.createdAt,
    releasedAt: letter.createdAt,
    openedBefore: null,
  });
  async function whisper(from: Member, to: Pick<Member, 'address' | 'keys'>): Promise<Made> {
    const scroll = await aScroll();
    const { scrollKey, sealId, encryptedContent } = scroll;
    const { envelope } = await makeWhisper(scrollKey, sealId, encryptedContent, from.vault, to);
    return { ...scroll, envelope };
  }

  test('is read in its recipient’s vault, which learns who sent it; the ring is not asked for', async () => {
    const [from, to] = [await aMember(), await aMember()];
    expect(await areKeysOf(to.address, to.keys)).toBe(true);
    const read = await readWhisper(reply(await whisper(from, to), to), to.vault);
    expect(read).toEqual({ letter, senderAddress: from.address });
    expect(asked).toEqual([]);
  });

  test('is read as well after its recipient’s key was changed, twice', async () => {
    const [from, to] = [await aMember(), await aMember()];
    const made = await whisper(from, to);
    const now = await aMember();
    const keyRing = await sealKeyRing([to.key, generateVaultKey()].map(bare), now.vault.contentKey);
    kept = { clientKey: now.keys, keyRing, createdAt: letter.createdAt };
    const read = await readWhisper(reply(made, to), now.vault);
    expect(read).toEqual({ letter, senderAddress: from.address });
  });

  test('does not open at an address that this vault never had', async () => {
    const [from, to, other] = [await aMember(), await aMember(), await aMember()];
    const made = await whisper(from, to);
    await expect(readWhisper(reply(made, to), other.vault)).rejects.toThrow(OpenError);
    await expect(readWhisper(reply(made, other), other.vault)).rejects.toThrow(OpenError);
    await expect(readWhisper(reply(made, other), to.vault)).rejects.toThrow(OpenError);
  });

  test('that was edited needs a new signature', async () => {
    const [from, to] = [await aMember(), await aMember()];
    const first = await whisper(from, to);
    const { scrollKey, sealId } = first;
    const encryptedContent = await sealUnder(scrollKey, edited, sealId);
    await expect(readWhisper(reply({ ...first, encryptedContent }, to), to.vault)).rejects.toThrow(OpenError);
    const { envelope } = await makeWhisper(scrollKey, sealId, encryptedContent, from.vault, to);
    const read = await readWhisper(reply({ ...first, encryptedContent, envelope }, to), to.vault);
    expect(read.letter).toEqual(edited);
  });

  test('is not sealed to keys that are not those of the address', async () => {
    const [from, to, other] = [await aMember(), await aMember(), await aMember()];
    expect(await areKeysOf(to.address, other.keys)).toBe(false);
    await expect(whisper(from, { address: to.address, keys: other.keys })).rejects.toThrow(SealError);
  });
});

describe('the author’s own copy', () => {
  const AT = '2026-01-13T09:30:00.000Z';
  const UNCHANGED = { changed: null, asSealed: null, createdAt: AT, updatedAt: AT };

  async function aRow(author: Member): Promise<Scroll> {
    const { scrollKey, sealId, encryptedContent } = await aScroll();
    const { cardNumber } = await makeCard(scrollKey, sealId);
    const reached = { recipientType: 'email', recipientAddress: 'mira@mail.example', tell: 'at-release' };
    const recipients = [
      { ...reached, id: 1, access: 'card', cardNumber, publicId: newRecipientNumber() },
      { ...reached, id: 2, access: 'passphrase', cardNumber: null, publicId: newRecipientNumber() },
    ];
    const clear = {
      ...{ version: 3, triggerType: 'inactivity', triggerValue: '30', timeZone: 'UTC' },
      ...{ authorName: null, recipients, createdAt: AT, updatedAt: AT },
    };
    const facts = factsFor('legacy-scroll', clear);
    const names = new Map([[recipients[0]?.publicId ?? '', 'Aunt Mira']]);
    const own = await sealOwn(
      letter.title,
      { scrollKey, names, signedAs: null },
      sealId,
      facts,
      author.vault,
    );
    const { fingerprint } = author.vault;
    return { ...own, ...clear, encryptedContent, sealId, keyFingerprint: fingerprint } as Scroll;
  }

  test('gives the title, the keys of its cards, and the letter', async () => {
    const author = await aMember();
    const row = await aRow(author);
    const { title, scrollKey, letter: read, cards, names } = await openOwn(row, author.vault);
    expect([title, read]).toEqual([letter.title, letter]);
    expect([...names]).toEqual([[row.recipients[0]?.publicId, 'Aunt Mira']]);
    expect(JSON.stringify(row)).not.toContain('Mira');
    const { publicId = '' } = row.recipients[0] ?? {};
    const cardNumber = row.recipients[0]?.cardNumber ?? '';
    expect([...cards]).toEqual([[publicId, await textOf(scrollKey ?? newScrollKey(), { cardNumber })]]);
    expect(JSON.stringify(row)).not.toContain(scrollKeyToText(scrollKey ?? newScrollKey()));
  });

  test('does not open in another vault, or in another row', async () => {
    const [author, other] = [await aMember(), await aMember()];
    const [row, second] = [await aRow(author), await aRow(author)];
    const nothing = {
      title: null,
      scrollKey: null,
      letter: null,
      names: new Map(),
      cards: new Map(),
      signedAs: null,
      outside: false,
      ...UNCHANGED,
    };
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
      names: new Map([[row.recipients[0]?.publicId, 'Aunt Mira']]),
      cards: expect.any(Map),
      signedAs: null,
      outside: false,
      ...UNCHANGED,
    });
    const keyless = await openOwn({ ...row, encryptedScrollKey: null }, author.vault);
    expect(keyless).toEqual({
      ...{ title: letter.title, scrollKey: null, letter: null, names: new Map() },
      ...{ cards: new Map(), signedAs: null, outside: false },
      ...UNCHANGED,
    });
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
    const contentKey = await deriveLetterContentKey(await deriveLetterKey(newScrollKey()));
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
    const contentKey = await deriveLetterContentKey(await deriveLetterKey(newScrollKey()));
    const sealId = newSealId();
    const context = { kind: 'legacy-scroll', field: 'encryptedContent', sealId };
    const sealed = await seal(text, contentKey, context);
    await expect(openLetter(sealed, contentKey, sealId)).rejects.toThrow(OpenError);
  });
});
