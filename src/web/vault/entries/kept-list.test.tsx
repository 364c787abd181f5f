// A list that a device keeps between visits: what a later visit fetches of it, what it shows after whatever has happened
// meanwhile, what never lies on the disk, and what becomes of a server that tells it less than there was.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openBlock } from '../../../crypto/kept-block.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import { DAY } from '../../../shared/time.ts';
import type { ChangesReply } from '../../../testing/changes.ts';
import { makeWebhook } from '../../../testing/deliveries.ts';
import { aDelivery, aPayload, pathOf } from '../../../testing/signed-deliveries.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { type MemoryDraft, memoryKind, type OpenedMemory } from '../../../vault/kinds/memory.ts';
import { entryWriter } from '../../../vault/outbox/entry-writer.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { keptListOf } from '../../../vault/replica/kept-list.ts';
import { APP_STATE, type AppState } from '../../api/app-state.ts';
import { aDevice, aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { type BlocksInMemory, blocksInMemory } from '../../testing/kept-blocks.ts';
import { asPerson, type Member } from '../../testing/member.ts';
import { openVaultOf } from '../key/open-vault.ts';
import type { OpenVault } from '../session/vault-context.ts';

const instance = anInstance();
const list = entryListOf(memoryKind);
afterEach(() => vi.restoreAllMocks());

interface Setting {
  member: Member;
  /** The device that keeps lists. */
  device: Device;
  /** Another one, which keeps none. */
  other: Device;
  blocks: BlocksInMemory;
}

async function setUp(): Promise<Setting> {
  const { member, devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  const blocks = blocksInMemory();
  keepLists(device.vault, blocks);
  return { member, device, other, blocks };
}

function keepLists(vault: OpenVault, blocks: BlocksInMemory): void {
  vault.keepsLists = () => true;
  vault.loadBlocks = async () => blocks;
}

/** The page is loaded anew and shows its memories. @returns what it has asked for */
async function visit({ device, blocks }: Setting): Promise<{ titles: string[]; asked: string[] }> {
  device.reload();
  keepLists(device.vault, blocks);
  const before = device.network.asked.length;
  const titles = await show(device);
  const asked = device.network.asked.slice(before).filter((call) => !call.endsWith(' /api/book'));
  return { titles, asked };
}

async function show({ vault, network }: Device): Promise<string[]> {
  const shown = await vault.lists.load(list);
  await settle(vault);
  await network.idle();
  return shown.map(({ name, content }) => `${name}: ${content}`);
}

const settle = async (vault: OpenVault) => (await keptListOf(memoryKind, vault)).settled();

/** What a device shows that fetches the whole list. */
const whole = async ({ member }: Setting) => show(aDevice(instance(), member));

const LIST = 'GET /api/memory-entries';
const CHANGES = 'GET /api/changes';

const write = (device: Device, title: string, lock: string | null = null) => {
  const draft: MemoryDraft = {
    texts: { title, encryptedContent: `Words of ${title}`, details: null },
    clear: { timeLockUntil: lock },
    choice: '',
  };
  return entryWriter(memoryKind, device.vault).create(draft, newSealId());
};

/** Every text on the disk, opened with the key that the device has. */
async function disk({ device: { vault }, blocks }: Setting): Promise<string> {
  const texts = [...blocks.disk].flatMap(([path, kept]) =>
    [...kept.blocks].map(([name, sealed]) => openBlock(sealed, vault.contentKey, { list: path, name })),
  );
  return (await Promise.all(texts)).join('\n');
}

describe('a list that a device keeps', () => {
  test('is fetched once; later visits ask for what has changed, and for nothing else', async () => {
    const setting = await setUp();
    const { other } = setting;
    await write(other, 'First');
    await write(other, 'Second');
    const first = await visit(setting);
    expect(first.asked).toEqual([CHANGES, LIST]);
    const second = await visit(setting);
    expect(second.asked).toEqual([CHANGES]);
    expect(second.titles).toEqual(first.titles);
    expect(second.titles).toEqual(['Second: Words of Second', 'First: Words of First']);
  });

  test('has after a visit whatever other devices have done with its entries', async () => {
    const setting = await setUp();
    const { other } = setting;
    const [one, two, three, four] = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((title) => other.writeMemory(title)),
    );
    if (!one || !two || !three || !four) throw new Error('four were written');
    await visit(setting);
    await other.changeMemory(one, 'One, changed');
    await other.deleteMemory(two);
    await other.deleteMemory(three);
    await other.restoreMemory(three);
    await other.deleteMemory(four);
    await other.eraseMemory(four);
    await other.writeMemory('Five');
    const { titles, asked } = await visit(setting);
    expect(asked).toEqual([CHANGES]);
    expect(titles).toEqual(await whole(setting));
    expect(titles.map((title) => title.split(':')[0]).sort()).toEqual(['Five', 'One, changed', 'Three']);
    // And what was erased lies on no disk.
    expect(await disk(setting)).not.toContain('Words of Four');
  });

  test('has what was done in its own page, and writes only the block in which it stands', async () => {
    const setting = await setUp();
    const { device, other, blocks } = setting;
    for (let i = 0; i < 3; i += 1) await write(other, `Old ${i}`);
    await visit(setting);
    const written = blocks.written;
    await write(device, 'Mine');
    await vi.waitFor(async () => expect(await disk(setting)).toContain('Words of Mine'));
    expect(blocks.written).toBe(written + 1);
    expect((await visit(setting)).titles).toEqual(await whole(setting));
  });

  test('has what was done in its own page also once more became known of its account', async () => {
    const setting = await setUp();
    const { device, other, blocks } = setting;
    await write(other, 'Old');
    await visit(setting);
    const { user, ...keys } = device.vault;
    device.vault = openVaultOf(device.vault, { ...user }, keys);
    keepLists(device.vault, blocks);
    await write(device, 'Mine');
    await vi.waitFor(async () => expect(await disk(setting)).toContain('Words of Mine'));
  });

  test('is let go of with the key that its vault was opened with', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { device } = await setUp();
    const { user, api, fingerprint } = device.vault;
    async function openAndLock() {
      const contentKey = await deriveContentKey(generateVaultKey());
      const vault = openVaultOf(device.vault, user, { contentKey, fingerprint });
      keepLists(vault, blocksInMemory());
      return new WeakRef(await keptListOf(memoryKind, vault));
    }
    const list = await openAndLock();
    await vi.waitFor(() => {
      collect();
      // What an expectation has compared, its failure holds.
      expect(list.deref() === undefined).toBe(true);
    });
    // The page stands open all the while.
    expect(device.vault.api).toBe(api);
  });

  test('lies on the disk in blocks, and a change writes one of them', async () => {
    const setting = await setUp();
    const { device, other, blocks } = setting;
    await other.writeMemory();
    keepLists(device.vault, blocks);
    const [one] = (await device.vault.lists.load(list)) as [OpenedMemory];
    const keptList = await keptListOf(memoryKind, device.vault);
    await keptList.settled();
    const many = Array.from({ length: 1200 }, (_, i) => ({ ...one, id: i + 1 }));
    keptList.keep('a place', many);
    await keptList.settled();
    expect(blocks.disk.get(memoryKind.path)?.blocks.size).toBe(3);
    const before = blocks.written;
    keptList.keepChanged(many.map((entry) => (entry.id === 700 ? { ...entry, name: 'another' } : entry)));
    await keptList.settled();
    expect(blocks.written).toBe(before + 1);
    expect(blocks.disk.get(memoryKind.path)?.blocks.size).toBe(3);
  });

  test('never has the words of a locked memory on the disk, and fetches it once its lock has ended', async () => {
    const setting = await setUp();
    const { device } = setting;
    await visit(setting);
    const open = await write(device, 'Open');
    await vi.waitFor(async () => expect(await disk(setting)).toContain('Words of Open'));
    const until = new Date(Date.now() + 2 * DAY).toISOString();
    await entryWriter(memoryKind, device.vault).update(open, {
      texts: { title: 'Open', encryptedContent: 'Words of Open', details: null },
      clear: { timeLockUntil: until },
      choice: '',
    });
    await vi.waitFor(async () => expect(await disk(setting)).not.toContain('Words of Open'));
    const locked = await visit(setting);
    expect(locked.titles).toEqual(['Open: null']);
    expect(await disk(setting)).not.toContain('Words of Open');

    vi.setSystemTime(Date.now() + 3 * DAY);
    const { titles, asked } = await visit(setting);
    expect(titles).toEqual(['Open: Words of Open']);
    expect(asked).toEqual([CHANGES, `${LIST}/${open.id}`]);
    expect((await visit(setting)).asked).toEqual([CHANGES]);
  });

  test('takes in what a webhook has brought', async () => {
    const setting = await setUp();
    const { member } = setting;
    await visit(setting);
    const webhook = await makeWebhook(asPerson(instance(), member), {
      ...(await member.sealed('webhook', 'A'.repeat(22), { name: 'Telephone' })),
      sealId: 'A'.repeat(22),
      keyFingerprint: member.fingerprint,
    });
    const payload = aPayload({ title: 'The harbour', content: 'A rope that sang.' });
    const sent = aDelivery(webhook, { at: Date.now(), payload });
    expect((await instance().request('POST', pathOf(webhook), sent)).status).toBe(204);
    expect((await visit(setting)).titles).toEqual(['The harbour: A rope that sang.']);
    expect(await disk(setting)).toContain('A rope that sang.');
    const again = await visit(setting);
    expect(again.titles).toEqual(['The harbour: A rope that sang.']);
    expect(again.asked).toEqual([CHANGES]);
  });

  test('is fetched as a whole where a block is broken, is not there, or is of another shape', async () => {
    const setting = await setUp();
    const { other, blocks } = setting;
    await write(other, 'First');
    const harms: (() => void)[] = [
      () => {
        const [bytes] = [...(kept()?.blocks.values() ?? [])];
        if (bytes) bytes[30] = (bytes[30] ?? 0) ^ 1;
      },
      () => kept()?.blocks.clear(),
      () => {
        const one = kept();
        if (one) one.head = { ...one.head, format: 0 };
      },
      () => blocks.disk.clear(),
    ];
    const kept = () => blocks.disk.get(memoryKind.path);
    for (const harm of harms) {
      await visit(setting);
      harm();
      const { titles, asked } = await visit(setting);
      expect(titles).toEqual(['First: Words of First']);
      expect(asked).toContain(LIST);
    }
  });

  test('is fetched as a whole where the server cannot tell what has changed', async () => {
    const setting = await setUp();
    const { device, other } = setting;
    await write(other, 'First');
    await visit(setting);
    await write(other, 'Second');
    const stop = device.network.intercept(async (request, forward) => {
      if (!request.url.includes('/api/changes?since=') || request.url.includes('since=now')) return forward();
      const reply = (await (await forward()).json()) as ChangesReply;
      return Response.json({ ...reply, changes: [], anew: true, more: true });
    });
    const { titles, asked } = await visit(setting);
    stop();
    expect(asked).toContain(LIST);
    expect(titles).toEqual(await whole(setting));
  });

  test('is the same in two pages that write at once', async () => {
    const setting = await setUp();
    const { device, member, blocks } = setting;
    await visit(setting);
    const second = aDevice(instance(), member);
    keepLists(second.vault, blocks);
    await show(second);
    await write(device, 'One');
    await write(second, 'Two');
    await Promise.all([settle(device.vault), settle(second.vault)]);
    await write(device, 'Three');
    await Promise.all([settle(device.vault), settle(second.vault)]);
    const { titles } = await visit(setting);
    expect(titles).toHaveLength(3);
    expect(titles).toEqual(await whole(setting));
  });

  test('is not written while only a part of it is here', async () => {
    const setting = await setUp();
    const { device, other, blocks } = setting;
    await write(other, 'First');
    await visit(setting);
    const before = structuredClone(blocks.disk.get(memoryKind.path)?.head);
    device.network.intercept((request, forward) =>
      request.url.includes('/api/changes') ? Promise.reject(new TypeError('Failed to fetch')) : forward(),
    );
    device.reload();
    keepLists(device.vault, blocks);
    await expect(device.vault.lists.load(list)).rejects.toThrow('Failed to fetch');
    // What is kept is there all the same.
    expect(device.vault.lists.rows(list)?.map(({ name }) => name)).toEqual(['First']);
    await write(device, 'Second');
    await settle(device.vault);
    expect(blocks.disk.get(memoryKind.path)?.head).toEqual(before);
  });

  test('has entries of one shape; another shape asks for another number of the format', async () => {
    const { other, blocks, device } = await setUp();
    await write(other, 'First');
    keepLists(device.vault, blocks);
    const [entry] = await device.vault.lists.load(list);
    await settle(device.vault);
    const shape = Object.keys(entry as OpenedEntry).sort();
    expect({
      shape,
      format: blocks.disk.get(memoryKind.path)?.head.format,
      kinds: everyEntryKind.length,
    }).toMatchInlineSnapshot(`
        {
          "format": 1,
          "kinds": 3,
          "shape": [
            "arrived",
            "at",
            "boxed",
            "changed",
            "content",
            "createdAt",
            "details",
            "detailsText",
            "folded",
            "id",
            "keyFingerprint",
            "leaf",
            "leftOut",
            "name",
            "outside",
            "sealId",
            "timeLockUntil",
            "updatedAt",
            "version",
            "withheld",
          ],
        }
      `);
  });
});

test('a server that tells of an entry once more, as it was before and under another number, is found out', async () => {
  const setting = await setUp();
  const { device, other } = setting;
  // Under a smaller number it stands behind the newer one.
  const erased = await other.writeMemory('Erased');
  await other.deleteMemory(erased);
  await other.eraseMemory(erased);
  const before = await other.writeMemory('Older');
  await visit(setting);
  await other.changeMemory(before, 'Newer');
  device.network.intercept(async (request, forward) => {
    const response = await forward();
    if (!request.url.includes('/api/changes')) return response;
    const reply = (await response.json()) as ChangesReply;
    const again = { n: 1, kind: 'memory', row: { ...before, id: erased.id } };
    return Response.json({ ...reply, changes: [...reply.changes, again] });
  });
  expect((await visit(setting)).titles).toHaveLength(2);
  await vi.waitFor(async () => expect(await show(device)).toEqual(await whole(setting)), 20_000);
});

describe('a server that tells of fewer changes than there were', () => {
  /** Changes about memories are never told. */
  const silence = ({ device }: Setting) =>
    device.network.intercept(async (request, forward) => {
      const response = await forward();
      if (!request.url.includes('/api/changes')) return response;
      const reply = (await response.json()) as ChangesReply;
      return Response.json({ ...reply, changes: reply.changes.filter(({ kind }) => kind !== 'memory') });
    });

  test('is found out by the book: the list is fetched as a whole, and is right', async () => {
    const setting = await setUp();
    const { other, device } = setting;
    const before = await other.writeMemory('Before');
    await visit(setting);
    await other.changeMemory(before, 'After');
    silence(setting);
    await visit(setting);
    await vi.waitFor(async () => {
      await device.network.idle();
      const rows = await device.vault.lists.load(list);
      expect(rows.map(({ name }) => name)).toEqual(['After']);
    }, 20_000);
  });

  test('and leaves it out of the list as well, is a finding', async () => {
    const setting = await setUp();
    const { other, device } = setting;
    await other.writeMemory('Kept');
    await visit(setting);
    const lost = await other.writeMemory('Lost');
    silence(setting);
    device.network.intercept(async (request, forward) => {
      const response = await forward();
      if (!new URL(request.url).pathname.endsWith('/api/memory-entries')) return response;
      return Response.json(
        ((await response.json()) as { id: number }[]).filter(({ id }) => id !== lost.id),
        { headers: response.headers },
      );
    });
    await visit(setting);
    const book = await device.vault.loadBook();
    await vi.waitFor(() => expect(book.state().rows.map(({ what }) => what)).toEqual(['missing']));
  });
});

describe('while nobody answers', () => {
  const stateOf = ({ vault }: Device) => vault.queryClient.getQueryData<AppState>(APP_STATE);
  /** What this page shows, whether it could be fetched or not. */
  const shown = ({ vault }: Device) => vault.lists.rows(list)?.map(({ name }) => name);

  test('the whole list is shown as it is kept, with the moment from which it is; afterwards it is as ever', async () => {
    const setting = await setUp();
    const { device, other, blocks } = setting;
    const [one] = await Promise.all(['One', 'Two', 'Three'].map((title) => other.writeMemory(title)));
    await visit(setting);
    const before = Date.now();
    vi.setSystemTime(before + DAY);
    for (const silent of ['no connection', 'a proxy'] as const) {
      device.reload();
      keepLists(device.vault, blocks);
      const end = device.network.intercept(async () => {
        if (silent === 'a proxy') return new Response('Bad gateway', { status: 502 });
        throw new TypeError('Failed to fetch');
      });
      await expect(device.vault.lists.load(list)).rejects.toThrow();
      expect(shown(device)?.sort()).toEqual(['One', 'Three', 'Two']);
      expect(stateOf(device)?.asOf).toEqual({ [memoryKind.path]: before });
      end();
    }
    if (!one) throw new Error('three were written');
    await other.changeMemory(one, 'One, changed');
    await device.vault.lists.load(list);
    expect(shown(device)).toContain('One, changed');
    expect(stateOf(device)?.asOf).toEqual({});
  });

  /** A page whose server hangs, once it shows what is kept. @param answer what the server says at last */
  async function showWhileItHangs(
    { device, blocks }: Setting,
    answer: (forward: () => Promise<Response>) => Promise<Response>,
  ) {
    device.reload();
    keepLists(device.vault, blocks);
    let goOn = () => {};
    const hanging = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    device.network.intercept(async (_, forward) => hanging.then(() => answer(forward)));
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
    const loaded = device.vault.lists.load(list);
    try {
      for (let passed = 0; passed < 600 && !stateOf(device); passed += 1)
        await vi.advanceTimersByTimeAsync(100);
    } finally {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    }
    expect(Object.keys(stateOf(device)?.asOf ?? {})).toEqual([memoryKind.path]);
    return { loaded, goOn };
  }

  test('the whole list is shown as it is kept also while a server hangs, and as the server has it once that answers', async () => {
    const setting = await setUp();
    const { device, other } = setting;
    await other.writeMemory('One');
    await visit(setting);
    await other.writeMemory('Two');
    const { loaded, goOn } = await showWhileItHangs(setting, (forward) => forward());
    expect(shown(device)).toEqual(['One']);
    goOn();
    await loaded;
    expect(shown(device)?.sort()).toEqual(['One', 'Two']);
    expect(stateOf(device)?.asOf).toEqual({});
  });

  test('a server that hangs and then refuses is no longer taken for one that is away', async () => {
    const setting = await setUp();
    await setting.other.writeMemory('One');
    await visit(setting);
    const refusal = { code: 'internal', message: 'It failed here.' };
    const { loaded, goOn } = await showWhileItHangs(setting, async () =>
      Response.json(refusal, { status: 500 }),
    );
    goOn();
    await expect(loaded).rejects.toThrow('It failed here.');
    expect(stateOf(setting.device)?.asOf).toEqual({});
  });

  test('a server that refuses is not taken for one that is away', async () => {
    const setting = await setUp();
    const { device, other, blocks } = setting;
    await other.writeMemory('One');
    await visit(setting);
    device.reload();
    keepLists(device.vault, blocks);
    const answer = { code: 'unavailable', message: 'Not now.' };
    device.network.intercept(async () => Response.json(answer, { status: 503 }));
    await expect(device.vault.lists.load(list)).rejects.toThrow('Not now.');
    expect(stateOf(device)?.asOf ?? {}).toEqual({});
  });

  test('nothing is taken for true that the book contradicts once somebody answers', async () => {
    const setting = await setUp();
    const { device, other, blocks } = setting;
    await other.writeMemory('Kept');
    await visit(setting);
    const lost = await other.writeMemory('Lost');
    device.reload();
    keepLists(device.vault, blocks);
    device.network.cut();
    await expect(device.vault.lists.load(list)).rejects.toThrow();
    device.network.cut(false);
    // What comes then leaves out what was written meanwhile.
    device.network.intercept(async (request, forward) => {
      const response = await forward();
      const { pathname } = new URL(request.url);
      if (pathname === '/api/changes') {
        const reply = (await response.json()) as ChangesReply;
        return Response.json({ ...reply, changes: reply.changes.filter(({ kind }) => kind !== 'memory') });
      }
      if (pathname !== '/api/memory-entries') return response;
      const rows = (await response.json()) as { id: number }[];
      return Response.json(
        rows.filter(({ id }) => id !== lost.id),
        { headers: response.headers },
      );
    });
    await device.vault.lists.load(list);
    const book = await device.vault.loadBook();
    await vi.waitFor(() => expect(book.state().rows.map(({ what }) => what)).toEqual(['missing']));
  });
});
