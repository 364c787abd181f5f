// Devices of one vault before a real server: each with a memory of its own, and a line that a test can bend.
import type { Book } from '../../crypto/book.ts';
import { newSealId } from '../../crypto/seal.ts';
import { finalBreath } from '../../shared/nouns/final-breath.ts';
import { type Ghost, ghosts } from '../../shared/nouns/ghost.ts';
import { deletedMemories, type Memory, memories } from '../../shared/nouns/memory.ts';
import { HOUR } from '../../shared/time.ts';
import type { TestInstance } from '../../testing/instance.ts';
import type { Timers } from '../../vault/api/in-background.ts';
import type { BookMemory, BookPin, NotedRow } from '../../vault/book/book-memory.ts';
import type { RowFound } from '../../vault/book/book-state.ts';
import type { BookSync } from '../../vault/book/book-sync.ts';
import { createBookSync } from '../../vault/book/create-book-sync.ts';
import { leafOfRow } from '../../vault/book/leaf-of-row.ts';
import { everyList, listOf } from '../../vault/book/shown-lists.ts';
import type { KnownRow, Written, WrittenRow } from '../../vault/book/written.ts';
import { createServices } from '../api/services.tsx';
import { screenOf } from '../vault/book/book-of-vault.ts';
import { loadPin } from '../vault/device/key-pin.ts';
import { sealRow } from '../vault/entries/testing/sealing.ts';
import { openVaultOf } from '../vault/key/open-vault.ts';
import type { OpenVault } from '../vault/session/vault-context.ts';
import { enterAsMember, type Member, type ResidentOptions } from './member.ts';
import { createNetwork, type Network } from './network.ts';

type VaultKey = Pick<OpenVault, 'contentKey' | 'fingerprint'>;

export interface Device {
  vault: OpenVault;
  network: Network;
  bookSync: BookSync;
  memory: BookMemory & { forget(): void };
  /** Its page is loaded anew: what it remembers stays. @param key that of the vault, where it has another one since */
  reload(key?: VaultKey): void;
  /** Its storage was emptied. */
  forget(): void;
  /** Nobody touches it for a while: what its page has put off is done. */
  rest(): Promise<void>;
  /** Whatever its page waits for has not come in time. */
  late(): void;
  /** Compares every list with the book. Returns what it finds, the book itself first. */
  check(): Promise<string[]>;
  found(): readonly RowFound[];
  writeMemory(title?: string, lock?: string | null): Promise<Memory>;
  changeMemory(memory: Memory, title?: string): Promise<Memory>;
  deleteMemory(memory: Memory): Promise<void>;
  restoreMemory(memory: Memory): Promise<void>;
  eraseMemory(memory: Memory): Promise<void>;
  writeGhost(hours?: number): Promise<Ghost>;
  deleteGhost(ghost: Ghost): Promise<void>;
  sealBreath(): Promise<void>;
}

const knownRow = (memory: Memory): KnownRow => ({
  kind: 'memory',
  sealId: memory.sealId,
  leaf: leafOfRow('memory', memory),
});
const idOf = ({ id }: { id: number }) => ({ params: { id: String(id) } });

function emptyMemory(uid: string): BookMemory & { forget(): void } {
  let pin: BookPin | null = null;
  let kept: Book | null = null;
  let noted: NotedRow[] = [];
  let tried: NotedRow[] = [];
  return {
    loadKeyPin: () => loadPin(uid),
    loadPin: () => pin,
    savePin: (next) => {
      pin = next;
    },
    loadNoted: () => structuredClone(noted),
    saveNoted: (rows) => {
      noted = structuredClone([...rows]);
    },
    loadTried: () => structuredClone(tried),
    saveTried: (rows) => {
      tried = structuredClone([...rows]);
    },
    load: async () => structuredClone(kept),
    store: async (book) => {
      kept = structuredClone(book);
    },
    forget() {
      pin = null;
      kept = null;
    },
  };
}

/** Timers that run when a test says so. */
function heldTimers(): { held: Timers; run(): void } {
  const waiting = new Map<number, () => void>();
  let last = 0;
  const held = {
    setTimeout(work: () => void) {
      last += 1;
      waiting.set(last, work);
      return last;
    },
    clearTimeout: (id?: number) => void waiting.delete(id ?? 0),
  };
  return {
    held: held as unknown as Timers,
    run() {
      const due = [...waiting.values()];
      waiting.clear();
      for (const work of due) work();
    },
  };
}

/** @param memory of a device that was there before, perhaps under another key */
export function aDevice(
  server: TestInstance,
  member: Member,
  memory: Device['memory'] = emptyMemory(member.user.id),
): Device {
  const network = createNetwork(server.app);
  for (const [name, value] of member.browser.network.cookies) network.cookies.set(name, value);
  const { user } = member;
  let { contentKey, fingerprint } = member;
  const anew = (): OpenVault =>
    openVaultOf(createServices({ fetch: network.fetch }), user, { contentKey, fingerprint });
  let timers = heldTimers();

  const seal = (texts: Record<string, string>, sealId: string, clear: object) =>
    sealRow(contentKey, 'memory', sealId, texts, clear);
  const send = <T>(written: Written, call: Parameters<BookSync['write']>[1]) =>
    device.bookSync.write(written, call) as Promise<T>;

  const device: Device = {
    vault: anew(),
    network,
    memory,
    bookSync: undefined as unknown as BookSync,
    reload(key) {
      if (key) ({ contentKey, fingerprint } = key);
      device.vault = anew();
      timers = heldTimers();
      device.bookSync = createBookSync(device.vault, {
        memory,
        screen: screenOf(device.vault),
        deviceName: 'Linux',
        timers: timers.held,
      });
    },
    async rest() {
      timers.run();
      // What was begun takes its turn before this.
      await device.bookSync.history(device.bookSync.state().head.n + 1).catch(() => {});
    },
    late: () => timers.run(),
    forget() {
      memory.forget();
      device.reload();
    },
    async check() {
      const { api } = device.vault;
      for (const list of everyList(api)) await device.bookSync.compare(list, await list.fetch());
      const { chain, rows } = device.bookSync.state();
      return chain ? [chain.kind] : rows.map(({ what }) => what);
    },
    found: () => device.bookSync.state().rows,
    async writeMemory(title = 'A memory', lock = null) {
      const sealId = newSealId();
      const clear = { version: 1, timeLockUntil: lock };
      const fields = await seal({ title, encryptedContent: `Words of ${title}` }, sealId, clear);
      const body = { ...fields, timeLockUntil: lock, sealId, keyFingerprint: fingerprint } as never;
      return send({ put: [{ kind: 'memory', sealId, sealed: fields, version: 1 }] }, (entry) =>
        device.vault.api.send(memories.create, { body, entry }),
      );
    },
    async changeMemory(before, title = 'Another title') {
      const sealId = before.sealId ?? '';
      const { version, timeLockUntil } = before;
      const fields = await seal({ title, encryptedContent: `Words of ${title}` }, sealId, {
        version: version + 1,
        timeLockUntil,
      });
      const body = { ...fields, details: null, timeLockUntil, version, keyFingerprint: fingerprint } as never;
      const sealed = { ...fields, details: null, keyFingerprint: fingerprint };
      return send({ put: [{ kind: 'memory', sealId, sealed, version: version + 1 }] }, (entry) =>
        device.vault.api.send(memories.update, { ...idOf(before), body, entry }),
      );
    },
    deleteMemory: (memory) =>
      send({ deleted: [knownRow(memory)] }, (entry) =>
        device.vault.api.send(memories.remove, { ...idOf(memory), entry }),
      ),
    restoreMemory: (memory) =>
      send({ restored: [knownRow(memory)] }, (entry) =>
        device.vault.api.send(deletedMemories.restore, { ...idOf(memory), entry }),
      ),
    eraseMemory: (memory) =>
      send({ removed: [memory.sealId] }, (entry) =>
        device.vault.api.send(deletedMemories.erase, { ...idOf(memory), entry }),
      ),
    async writeGhost(hours = 24) {
      const sealId = newSealId();
      const clear = { maxReads: 1, expiresAt: new Date(Date.now() + hours * HOUR).toISOString() };
      const fields = await sealRow(contentKey, 'ghost', sealId, { encryptedContent: 'A thought' }, clear);
      const body = { ...fields, ...clear, sealId, keyFingerprint: fingerprint } as never;
      return send({ put: [{ kind: 'ghost', sealId, sealed: { ...fields, ...clear } }] }, (entry) =>
        device.vault.api.send(ghosts.create, { body, entry }),
      );
    },
    deleteGhost: (ghost) =>
      send({ removed: [ghost.sealId] }, (entry) =>
        device.vault.api.send(ghosts.remove, { ...idOf(ghost), entry }),
      ),
    async sealBreath() {
      const sealId = newSealId();
      const fields = await sealRow(contentKey, 'breath', sealId, { encryptedContent: 'A breath' });
      const body = { ...fields, sealId, keyFingerprint: fingerprint } as never;
      await send({ put: [{ kind: 'breath', sealId, sealed: fields }] }, (entry) =>
        device.vault.api.send(finalBreath.create, { body, entry }),
      );
    },
  };
  device.bookSync = createBookSync(device.vault, {
    memory,
    screen: screenOf(device.vault),
    deviceName: 'Linux',
    timers: timers.held,
  });
  return device;
}

/** The memories as the server shows them to a device. */
export const memoriesOf = ({ vault }: Device): Promise<Memory[]> => vault.api.send(memories.list, {});

/** A member without rows that no book has, and devices of theirs. */
export async function aVaultWith(
  server: TestInstance,
  count: number,
  options: ResidentOptions = {},
): Promise<{ member: Member; devices: Device[] }> {
  const member = await enterAsMember(server, options);
  const devices = Array.from({ length: count }, () => aDevice(server, member));
  const [first] = devices;
  // The answers of the ritual were given by calls without a book.
  await first?.bookSync.compare(
    listOf('onboarding', first.vault.api),
    await listOf('onboarding', first.vault.api).fetch(),
  );
  await first?.bookSync.adopt(first.found());
  return { member, devices };
}

/** Two devices of one vault that have both seen its book. */
export async function twoDevices(
  server: TestInstance,
): Promise<{ member: Member; one: Device; two: Device }> {
  const { member, devices } = await aVaultWith(server, 2);
  const [one, two] = devices as [Device, Device];
  await two.check();
  return { member, one, two };
}

/** A memory that is kept without an entry, as by an import. */
export async function brought(
  member: Member,
): Promise<{ memory: Memory; row: WrittenRow & { sealId: string } }> {
  const sealId = newSealId();
  const sealed = await member.sealed('memory', sealId, { title: 'Brought', encryptedContent: 'x' });
  const body = { ...sealed, sealId, keyFingerprint: member.fingerprint };
  const memory = await member.call<Memory>('POST', '/api/memory-entries', body);
  return { memory, row: { kind: 'memory', sealId, sealed } };
}
