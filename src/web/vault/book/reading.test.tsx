// How the book is read from a server: page by page, with the keys that the vault has had, and no further than needed.
import { describe, expect, it, test } from 'vitest';
import { fromHex } from '../../../crypto/base64.ts';
import { createClientKey } from '../../../crypto/client-key.ts';
import { generateVaultKey } from '../../../crypto/vault-key.ts';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import type { VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { type Device, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';

const instance = anInstance();
const BOOK = '/api/book';
const KEY = '/api/encryption-key';
const MORE = { headers: { link: '</api/book>; rel="next"' } };

type Answer = (forward: () => Promise<Response>, url: URL) => Response | Promise<Response>;

/** Answers whoever asks for this. Returns how often that was. */
function answer({ network }: Device, path: string, how: Answer): () => number {
  let asked = 0;
  network.intercept(async (request, forward) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.pathname !== path) return forward();
    asked += 1;
    return how(forward, url);
  });
  return () => asked;
}

const entriesOf = async (forward: () => Promise<Response>) =>
  (await (await forward()).json()) as SealedBookEntry[];

/** A device whose page has read nothing yet of a book with a few entries. */
async function beforeReading(): Promise<Device> {
  const { one } = await twoDevices(instance());
  for (const title of ['One', 'Two', 'Three']) await one.writeMemory(title);
  one.reload();
  return one;
}

describe('a book of many pages', () => {
  it('is read to its end, and not beyond', async () => {
    const one = await beforeReading();
    const { n } = one.memory.loadPin() ?? expect.fail('there is no pin');
    const asked = answer(one, BOOK, async (forward) => {
      const [first, ...others] = await entriesOf(forward);
      return Response.json([first], others.length > 0 ? MORE : {});
    });
    expect(await one.bookSync.look()).toMatchObject({ chain: null, head: { n } });
    expect(asked()).toBe(n);
  });

  it('ends where a page has nothing, or what was shown before', async () => {
    for (const page of [() => [], (all: SealedBookEntry[]) => all.slice(0, 1)]) {
      const one = await beforeReading();
      const asked = answer(one, BOOK, async (forward, { searchParams }) => {
        searchParams.delete('from');
        return Response.json(
          page(await entriesOf(forward)).map((entry) => ({ ...entry, n: 1 })),
          MORE,
        );
      });
      await one.bookSync.look().catch(() => {});
      expect(one.bookSync.state().chain).toMatchObject({ kind: 'went-back' });
      expect(asked()).toBeLessThan(10);
    }
  });
});

describe('a book that does not open', () => {
  const spoilt: Answer = async (forward) => {
    const all = await entriesOf(forward);
    return Response.json([...all, { n: (all.at(-1)?.n ?? 0) + 1, sealed: 'AAAA' }]);
  };

  it('is found out whatever the server says of the vault’s key', async () => {
    const stranger = generateVaultKey();
    const clientKey = {
      ...(await createClientKey(stranger, { generation: 2, before: stranger })),
      wraps: [],
    };
    const keys: ((kept: VaultKeyRecord | null) => VaultKeyRecord | null)[] = [
      (kept) => kept,
      () => null,
      (kept) => kept && { ...kept, clientKey },
    ];
    for (const change of keys) {
      const one = await beforeReading();
      answer(one, BOOK, spoilt);
      const asked = answer(one, KEY, async (forward) =>
        Response.json(change((await (await forward()).json()) as VaultKeyRecord | null)),
      );
      expect(await one.bookSync.look()).toMatchObject({ chain: { kind: 'unreadable' } });
      expect(asked()).toBeGreaterThan(0);
    }
  });

  it('is kept back where the present key vouches for another', async () => {
    const one = await beforeReading();
    const { vault, memory } = one;
    const present = vault.loadKey() ?? expect.fail('there is no key');
    const pin = memory.loadKeyPin() ?? expect.fail('there is no pin of the key');
    const clientKey = {
      ...(await createClientKey(generateVaultKey(), {
        generation: pin.generation + 1,
        before: fromHex(present),
      })),
      wraps: [],
    };
    answer(one, BOOK, spoilt);
    // The server answers so whenever it likes: on every page, and for years.
    answer(one, KEY, async (forward) =>
      Response.json({ ...((await (await forward()).json()) as VaultKeyRecord), clientKey }),
    );
    await expect(one.bookSync.look()).rejects.toThrow();
    expect(one.bookSync.state()).toMatchObject({ chain: null, isWithheld: true });
  });

  test('and for one that does, no other key is asked for', async () => {
    const one = await beforeReading();
    const asked = answer(one, KEY, (forward) => forward());
    await one.bookSync.look();
    await one.bookSync.look();
    expect(one.bookSync.state().chain).toBeNull();
    expect(asked()).toBe(0);
  });
});
