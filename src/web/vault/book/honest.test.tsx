// An honest server through many mixed operations on three devices, one of them often offline: nothing but `unknown` may ever
// be found. `LATEBRA_BOOK_OPERATIONS` and `LATEBRA_BOOK_SEED` run more of them, or others.

import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { dice } from '../../../crypto/testing/dice.ts';
import { BOOK_HEADER } from '../../../shared/http/call.ts';
import { finalBreath } from '../../../shared/nouns/final-breath.ts';
import { ghosts } from '../../../shared/nouns/ghost.ts';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { deletedMemories, type Memory } from '../../../shared/nouns/memory.ts';
import { shareableKeys } from '../../../shared/nouns/sacred-key.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { plainScroll } from '../../../testing/scrolls.ts';
import { aLink, redeem, someWords } from '../../../testing/shares.ts';
import { sweep } from '../../../testing/sweeping.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import { beginResealing, changeKey, keyIn, openSettings, writeNewWords } from '../../testing/another-key.ts';
import { aDevice, aVaultWith, type Device, memoriesOf } from '../../testing/devices.ts';
import { refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const instance = anInstance();

const OPERATIONS = Number(process.env.LATEBRA_BOOK_OPERATIONS ?? 600);
const SEED = Number(process.env.LATEBRA_BOOK_SEED ?? 7);

const roll = dice(SEED);
const oneOf = <T,>(all: readonly T[]): T | undefined => all[roll(all.length)];
const idOf = ({ id }: { id: number }) => ({ params: { id: String(id) } });

/** What an honest server may refuse, and a line may do: somebody was faster, or nothing arrived. */
async function orRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TypeError) return;
    if (!(error instanceof ApiError) || ![404, 409, 410].includes(error.status)) throw error;
    expect(['book-moved', 'book-full', 'bad-request'], error.message).not.toContain(error.code);
  }
}

type Operation = (device: Device, member: Member) => Promise<unknown>;

async function aMemoryOf(device: Device): Promise<Memory | undefined> {
  return oneOf(await memoriesOf(device));
}

const deletedOf = ({ vault }: Device) => vault.api.send(deletedMemories.list, {});

const write: Operation = async (device) => {
  const lock = roll(6) === 0 ? new Date(Date.now() + (roll(60) + 1) * HOUR).toISOString() : null;
  await device.writeMemory(`Memory ${roll(1e6)}`, lock);
};

const change: Operation = async (device) => {
  const memory = await aMemoryOf(device);
  if (memory) await device.changeMemory(memory, `Changed ${roll(1e6)}`);
};

const remove: Operation = async (device) => {
  const memory = await aMemoryOf(device);
  if (memory) await device.deleteMemory(memory);
};

const restore: Operation = async (device) => {
  const memory = oneOf(await deletedOf(device));
  if (memory) await device.restoreMemory(memory as unknown as Memory);
};

const erase: Operation = async (device) => {
  const memory = oneOf(await deletedOf(device));
  if (memory) await device.eraseMemory(memory as unknown as Memory);
};

const ghost: Operation = async (device) => {
  const one = oneOf(await device.vault.api.send(ghosts.list, {}));
  if (one && roll(3) === 0) await device.deleteGhost(one);
  else await device.writeGhost(roll(40) + 1);
};

const breath: Operation = async (device) => {
  const { api } = device.vault;
  const one = await api.send(finalBreath.get, {});
  if (!one) await device.sealBreath();
  else
    await device.bookSync.write({ removed: [one.sealId] }, (entry) =>
      roll(2) === 0
        ? api.send(finalBreath.read, { body: {}, entry })
        : api.send(finalBreath.remove, { entry }),
    );
};

const link: Operation = async (device, { fingerprint }) => {
  const { api } = device.vault;
  const old = oneOf(await api.send(shareableKeys.list, {}));
  if (old && roll(3) === 0)
    return device.bookSync.write({ removed: [old.sealId] }, (entry) =>
      api.send(shareableKeys.remove, { ...idOf(old), entry }),
    );
  const memory = await aMemoryOf(device);
  if (!memory || memory.encryptedContent === null) return;
  const reserved = await api.send(shareableKeys.create, {
    body: { entryType: 'memory', entryId: memory.id, expiresInHours: roll(48) + 1 },
  });
  const made = aLink();
  const body = { ...made.seal, keyFingerprint: fingerprint };
  const { sealId = null, encryptedSecret } = body;
  const sealed = { encryptedSecret, expiresAt: reserved.expiresAt };
  const key = await device.bookSync.write({ put: [{ kind: 'sacred-key', sealId, sealed }] }, (entry) =>
    api.send(shareableKeys.seal, { ...idOf(reserved), body, entry }),
  );
  const words = made.seal.encryptedContent;
  if (roll(2) === 0) await redeem(instance(), { ...made, key, keyId: reserved.keyId, words });
};

const scroll: Operation = async (device, { fingerprint }) => {
  const { api } = device.vault;
  const old = oneOf(await api.send(legacyScrolls.list, {}));
  if (old && roll(3) === 0)
    return device.bookSync.write({ removed: [old.sealId] }, (entry) =>
      api.send(legacyScrolls.remove, { ...idOf(old), entry }),
    );
  const isChange = old !== undefined && roll(2) === 0;
  const sealId = isChange ? old.sealId : newSealId();
  const form = { ...plainScroll(), encryptedScrollKey: someWords(60), keyFingerprint: fingerprint } as never;
  const body = { ...(form as object), sealId } as never;
  await device.bookSync.write({ put: [{ kind: 'legacy-scroll', sealId, sealed: body }] }, (entry) =>
    isChange
      ? api.send(legacyScrolls.update, {
          ...idOf(old),
          body: { ...(form as object), version: old.version } as never,
          entry,
        })
      : api.send(legacyScrolls.create, { body, entry }),
  );
};

/** Rows without entries, four at a time, which come into the book afterwards. */
const importMany: Operation = async (device, member) => {
  for (let left = roll(4) + 1; left > 0; left -= 1) {
    const sealId = newSealId();
    const sealed = await member.sealed('memory', sealId, { title: 'Brought', encryptedContent: 'x' });
    const body = { ...sealed, sealId, keyFingerprint: member.fingerprint };
    const answer = await device.network.fetch('/api/memory-entries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.ok) device.bookSync.note([{ kind: 'memory', sealId, sealed, version: 1 }]);
  }
};

const programWrites: Operation = (_, { postSealed }) =>
  postSealed('/api/memory-entries', 'memory', { title: 'By a program', encryptedContent: 'x' });

const timePasses: Operation = async () => {
  const by = roll(roll(8) === 0 ? 20 * DAY : 8 * HOUR);
  const then = Date.now() + by;
  // Nobody is signed out by it, or has to prove anything again.
  await instance()
    .database.db.updateTable('sessions')
    .set({ created_at: then, expires_at: then + DAY, proved_at: then })
    .execute();
  instance().clock.advance(by);
  await sweep(instance());
};

const takeIn: Operation = async (device) => {
  await device.check();
  await device.bookSync.adopt(device.found());
};

/** The next answers of the server are lost, or what is sent does not even arrive. */
async function onABadLine(device: Device, work: () => Promise<void>): Promise<void> {
  let left = roll(3) + 1;
  const arrives = roll(3) > 0;
  const stop = device.network.intercept(async (request, forward) => {
    if (request.method === 'GET' || left === 0) return forward();
    left -= 1;
    if (arrives) await forward();
    throw new TypeError('Failed to fetch');
  });
  await work();
  stop();
}

/**
 * The book is full for a while: what is changed goes without an entry. Others may change it as well, with an entry or without one, before
 * it is taken in; whoever compares before that cannot know of it.
 */
async function inAFullBook(devices: readonly [Device, Device], member: Member): Promise<void> {
  const stops = devices
    .filter(() => roll(3) > 0)
    .map(({ network }) =>
      network.intercept(async (request, forward) => {
        const isEntry = request.headers.has(BOOK_HEADER) || new URL(request.url).pathname === '/api/book';
        return request.method !== 'GET' && isEntry && isFull ? refusal('book-full') : forward();
      }),
    );
  let isFull = true;
  const some = (await memoriesOf(devices[0])).slice(0, 2);
  for (let left = roll(6) + 1; left > 0; left -= 1) {
    const device = oneOf(devices) as Device;
    const meant = oneOf(some)?.id;
    const memory = (await memoriesOf(device)).find(({ id }) => id === meant);
    if (memory) await orRefused(device.changeMemory(memory, `Changed ${roll(1e6)}`));
    else await orRefused(write(device, member));
    if (roll(3) === 0) isFull = !isFull;
    if (roll(5) === 0) device.reload();
  }
  for (const stop of stops) stop();
  for (const device of [...devices, ...devices]) await device.bookSync.look();
}

/** How often each happens, of all together. */
const OPERATIONS_BY_SHARE: [share: number, operation: Operation][] = [
  [20, write],
  [16, change],
  [8, remove],
  [4, restore],
  [3, erase],
  [5, ghost],
  [3, breath],
  [5, link],
  [5, scroll],
  [4, importMany],
  [3, programWrites],
  [6, timePasses],
  [2, takeIn],
];
const LOTS = OPERATIONS_BY_SHARE.flatMap(([share, operation]) => Array<Operation>(share).fill(operation));

async function expectHonest(device: Device, step: number): Promise<void> {
  // Offline nothing can be fetched, and nothing is found.
  const found = await device.check().catch((error: unknown) => {
    if (error instanceof TypeError) return [];
    throw error;
  });
  const { chain, rows } = device.bookSync.state();
  const wrong = rows.filter(({ what }) => what !== 'unknown');
  expect({ chain, wrong, found: found.filter((what) => what !== 'unknown') }, `step ${step}`).toEqual({
    chain: null,
    wrong: [],
    found: [],
  });
}

test(
  `an honest server is called no liar in ${OPERATIONS} mixed operations on three devices`,
  async () => {
    const world = await aVaultWith(instance(), 3);
    let { member } = world;
    let [one, two, away] = world.devices as [Device, Device, Device];
    let isAway = false;
    const who = () => (roll(5) === 0 ? away : roll(2) === 0 ? one : two);

    for (let step = 0; step < OPERATIONS; step += 1) {
      const device = who();
      const operation = LOTS[roll(LOTS.length)] as Operation;
      const work = () => orRefused(operation(device, member));
      const chance = roll(40);
      if (chance === 0) device.reload();
      else if (chance === 1 && roll(4) === 0) device.forget();
      else if (chance < 5) await device.rest();
      else if (chance < 8) await expectHonest(device, step);
      else if (chance < 11) {
        isAway = !isAway;
        away.network.cut(isAway);
      } else if (chance < 14) await onABadLine(device, work);
      else if (chance < 17) await inAFullBook([one, two], member);
      else if (chance < 20) {
        // Two pages write at the same time.
        const other = LOTS[roll(LOTS.length)] as Operation;
        const beside = other === timePasses ? write : other;
        await Promise.all([work(), orRefused(beside(device === one ? two : one, member))]);
      } else await work();

      if (step === Math.floor(OPERATIONS / 2)) {
        away.network.cut(false);
        isAway = false;
        await openSettings(member.browser);
        await beginResealing(member.browser);
        await writeNewWords(member.browser);
        await changeKey(member);
        const { contentKey, fingerprint } = await keyIn(member);
        const before = member;
        member = { ...member, contentKey, fingerprint };
        member.sealed = (kind, sealId, texts, clear) => before.sealed(kind, sealId, texts, clear);
        member.postSealed = async (path, kind, texts, clear = {}) => {
          const sealId = newSealId();
          const fields = await member.sealed(kind, sealId, texts, clear);
          return member.call('POST', path, { ...fields, ...clear, sealId, keyFingerprint: fingerprint });
        };
        [one, two, away] = [one, two, away].map(({ memory }) => aDevice(instance(), member, memory)) as [
          Device,
          Device,
          Device,
        ];
      }
    }

    away.network.cut(false);
    const all = [one, two, away];
    // What was noted is taken in first.
    for (const device of all) await expectHonest(device, OPERATIONS);
    for (const device of all) await expectHonest(device, OPERATIONS);
    const [head] = all.map(({ bookSync }) => bookSync.state().head);
    expect(all.map(({ bookSync }) => bookSync.state().head)).toEqual([head, head, head]);
    expect(head?.n).toBeGreaterThan(OPERATIONS / 4);
  },
  Math.max(60_000, OPERATIONS * 600),
);
