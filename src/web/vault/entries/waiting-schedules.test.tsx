// Whatever may happen to a device while entries wait on it, by schedules that are drawn: of twenty texts none is lost, none is there
// twice, of two that were written over the same entry both stay, and nothing waits for ever. `LATEBRA_SCHEDULES=500` tries as many.
import { beforeEach, expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { CONTRACT } from '../../../shared/http/call.ts';
import { DAY, MINUTE } from '../../../shared/time.ts';
import { memoryKind, type OpenedMemory } from '../../../vault/kinds/memory.ts';
import { entryWriter } from '../../../vault/outbox/entry-writer.ts';
import {
  keepWaiting,
  loadAside,
  loadWaiting,
  sendWaiting,
  type WaitingEntry,
  type WaitingStore,
} from '../../../vault/outbox/waiting.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { isTooOld, noteNewerContract } from '../../api/app-state.ts';
import { beginResealing, changeKey, keyIn, openSettings, writeNewWords } from '../../testing/another-key.ts';
import { aDevice, aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { loseAnswer } from '../../testing/network.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { draftNames, dropDraft, loadDraft } from '../session/drafts.ts';
import type * as TakenBack from './taken-back.ts';
import { aDisk, changeOf, draftOf, waitingOf } from './testing/waiting.ts';

stretchLightly();
const instance = anInstance();
const list = entryListOf(memoryKind);
const CREATE = /^POST \/api\/memory-entries$/;
const CHANGE = /^PATCH \/api\/memory-entries\/\d+$/;
const ignore = () => {};
// There are more schedules than sign-ups from one address in ten minutes.
beforeEach(() => {
  localStorage.clear();
  vi.setSystemTime(Date.now() + MINUTE);
});

let pages = 0;
/** A page that was loaded anew: what it knows of drafts is its own. All else is as one has it that has just come. */
async function aPage(): Promise<typeof TakenBack> {
  pages += 1;
  return import(/* @vite-ignore */ `./taken-back.ts?page=${pages}`);
}

/** The disk as one page has it: one that is gone does nothing on it any more. */
function diskOfPage(disk: WaitingStore, isGone: () => boolean): WaitingStore {
  const there = () => {
    if (isGone()) throw new Killed('this page is gone');
    return disk;
  };
  return {
    load: async () => there().load(),
    put: async (...given) => there().put(...given),
    replace: async (...given) => there().replace(...given),
    rename: async (...given) => there().rename(...given),
  };
}

/** What a form of this test keeps of an entry that was taken back. */
type FormValue = ReturnType<typeof waitingOf>['form']['value'] &
  Pick<WaitingEntry, 'over'> & { title: string; sealId: string };

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Killed extends Error {}

/** A device whose browser can be killed at any step, whose disk can be full and whose session can end; and what was written on it. */
class Setting {
  readonly device: Device;
  readonly other: Device;
  readonly draw: () => number;
  readonly store = aDisk(() => {
    this.step();
    if (this.isFull) throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  /** Each text that anybody has written, and that no other has taken the place of. */
  readonly texts = new Set<string>();
  /** What stands in a form, as it could not be kept: its author tries again. */
  readonly forms: WaitingEntry[] = [];
  private page: typeof TakenBack;
  private disk: WaitingStore;
  private stepsLeft = Number.POSITIVE_INFINITY;
  isFull = false;
  hasSession = true;

  constructor(
    { device, other, page }: { device: Device; other: Device; page: typeof TakenBack },
    seed: number,
  ) {
    this.device = device;
    this.other = other;
    this.page = page;
    this.disk = diskOfPage(this.store, () => this.page !== page);
    this.draw = random(seed);
    device.network.intercept(async (_, forward) => {
      this.step();
      const answer = this.hasSession
        ? await forward()
        : Response.json({ code: 'not-signed-in', message: 'Sign in.' }, { status: 401 });
      this.step();
      return answer;
    });
  }

  private step(): void {
    this.stepsLeft -= 1;
    if (this.stepsLeft < 0) throw new Killed('the browser was killed');
  }

  /** The browser is started again, with a page of the app that its server has by now. One that was killed may lose its drafts. */
  async restart(): Promise<void> {
    const wasKilled = this.stepsLeft < 0;
    this.stepsLeft = Number.POSITIVE_INFINITY;
    this.device.reload();
    const { vault } = this.device;
    if (wasKilled && this.draw() < 0.5)
      for (const slot of draftNames(vault.user.id))
        localStorage.removeItem(`latebra.draft:${vault.user.id}:${slot}`);
    const page = await aPage();
    this.page = page;
    this.disk = diskOfPage(this.store, () => this.page !== page);
    await page.bringBackLost(vault, this.disk).catch(ignore);
  }

  /** Somebody takes back what waits, to go on writing it. */
  async takeBack(): Promise<void> {
    const { device, store, draw } = this;
    const all = (await loadWaiting(device.vault, store)).filter(({ waiting }) => waiting.refused === null);
    const chosen = all[Math.floor(draw() * all.length)]?.waiting.sealId;
    await this.page
      .takeBackFrom(device.vault, this.disk, ({ sealId }) => sealId === chosen, false)
      .catch(ignore);
  }

  private async drafts(): Promise<{ slot: string; value: FormValue }[]> {
    const { user, contentKey } = this.device.vault;
    const found = await Promise.all(
      draftNames(user.id).map(async (slot) => {
        const value = await loadDraft<FormValue>(user.id, slot, contentKey);
        return value ? [{ slot, value }] : [];
      }),
    );
    return found.flat();
  }

  /** What was taken back is sealed again, as it was. */
  async sealDrafts(): Promise<void> {
    const { device, store } = this;
    for (const { slot, value } of await this.drafts()) {
      const { title, sealId, over } = value;
      const waiting = waitingOf({ ...draftOf(title), ...(over && { clear: {} }) }, over, sealId);
      try {
        await keepWaiting(device.vault, store, { ...waiting, form: { ...waiting.form, value } });
      } catch {
        return;
      }
      dropDraft(device.vault.user.id, slot);
    }
  }

  /** Keeps a text, or has it stay in its form. */
  private async keep(waiting: WaitingEntry): Promise<void> {
    try {
      const { form, over } = waiting;
      const value = { ...(form.value as object), over };
      await keepWaiting(this.device.vault, this.store, { ...waiting, form: { ...form, value } });
    } catch {
      this.forms.push(waiting);
    }
  }

  async keepForms(): Promise<void> {
    for (const waiting of this.forms.splice(0)) await this.keep(waiting);
  }

  async write(n: number): Promise<void> {
    const { device, draw, store, texts } = this;
    const entries = draw() < 0.4 ? await device.vault.lists.load(list).catch(() => []) : [];
    const waits = new Set((await loadWaiting(device.vault, store)).map(({ waiting }) => waiting.sealId));
    for (const { sealId } of this.forms) waits.add(sealId);
    for (const { value } of await this.drafts()) waits.add(value.sealId);
    for (const { waiting } of await loadAside(device.vault, store)) waits.add(waiting.sealId);
    const entry = entries.filter(({ sealId }) => !waits.has(sealId ?? ''))[Math.floor(draw() * 4)];
    const title = `Text ${n}`;
    const waiting = entry ? changeOf(entry, title) : waitingOf(draftOf(title), null, newSealId());
    // The device's clock may be anything.
    const at = draw() < 0.2 ? waiting.at + Math.round((draw() - 0.5) * 800) * DAY : waiting.at;
    await this.keep({ ...waiting, at });
    texts.add(title);
    if (!entry) return;
    // Another device may change it at the same time: then both texts are to be there.
    if (draw() < 0.4) await this.changeElsewhere(entry, `Theirs ${n}`);
    else texts.delete(entry.name ?? '');
  }

  private async changeElsewhere(entry: OpenedMemory, title: string): Promise<void> {
    const now = (await this.shownElsewhere()).find(({ sealId }) => sealId === entry.sealId);
    if (!now) return;
    await entryWriter(memoryKind, this.other.vault).update(now, draftOf(title));
    this.texts.delete(now.name ?? '');
    this.texts.add(title);
  }

  /** As a device that has just come has it. */
  async shownElsewhere(): Promise<OpenedMemory[]> {
    this.other.reload();
    return [...(await this.other.vault.lists.load(list))];
  }

  async mishap(): Promise<void> {
    const { device, draw } = this;
    const kind = draw();
    device.network.cut(kind < 0.2);
    this.isFull = kind >= 0.2 && kind < 0.27;
    this.hasSession = !(kind >= 0.27 && kind < 0.34);
    if (kind >= 0.34 && kind < 0.45) loseAnswer(device.network, CREATE);
    if (kind >= 0.45 && kind < 0.55) loseAnswer(device.network, CHANGE);
    if (kind >= 0.55 && kind < 0.65) this.sendTwice();
    // At each step of what it does next: before and after every request, and before everything on its disk.
    if (kind >= 0.65 && kind < 0.85) this.stepsLeft = Math.floor(draw() * 16);
    if (draw() < 0.3) await this.takeBack();
    if (draw() < 0.6) await this.send(draw() < 0.25);
    if (draw() < 0.5) await this.keepForms();
    if (draw() < 0.4) await this.sealDrafts();
    if (this.stepsLeft < 0 || draw() < 0.3) await this.restart();
  }

  /** What lies between sends a write once more. */
  private sendTwice(): void {
    const end = this.device.network.intercept(async (request, forward) => {
      if (request.method === 'GET') return forward();
      end();
      const again = request.clone();
      const answer = await forward();
      await instance().app.request(again);
      return answer;
    });
  }

  /** @param inTwo whether two tabs send at the same time, as in a browser that cannot keep one of them from it */
  private async send(inTwo: boolean): Promise<void> {
    // As the page has it (send-waiting.ts).
    if (isTooOld(this.device.vault.queryClient)) return;
    const tab = () => sendWaiting(this.device.vault, this.store, ignore).catch(ignore);
    await Promise.all(inTwo ? [tab(), tab()] : [tab()]);
  }

  /** Nothing goes wrong any more. */
  async settle(): Promise<boolean> {
    this.isFull = false;
    this.hasSession = true;
    this.device.network.cut(false);
    await this.restart();
    await this.keepForms();
    await this.sealDrafts();
    await sendWaiting(this.device.vault, this.store, ignore);
    return sendWaiting(this.device.vault, this.store, ignore);
  }
}

/** How many schedules are tried; the whole number is for a machine at rest (docs/offline.md). */
const SCHEDULES = Number(process.env.LATEBRA_SCHEDULES ?? 10);
const WRITES = 20;
/** In so many schedules one has its app replaced in the middle. */
const UPGRADED = 5;

test.each(Array.from({ length: SCHEDULES }, (_, i) => i + 1))(
  'schedule %i of mishaps: nothing is lost, doubled or stuck',
  async (seed) => {
    const { devices } = await aVaultWith(instance(), 2);
    const [device, other] = devices as [Device, Device];
    const setting = new Setting({ device, other, page: await aPage() }, seed);
    const { store, texts } = setting;
    const upgradedAt = seed % UPGRADED === 0 ? 5 + Math.floor(setting.draw() * 10) : null;
    for (let n = 1; n <= WRITES; n += 1) {
      // From here on until its page is loaded anew, the app is older than its server.
      if (n === upgradedAt) noteNewerContract(device.vault.queryClient, CONTRACT + 1);
      await setting.write(n);
      await setting.mishap();
    }
    expect(await setting.settle()).toBe(true);

    const left = (await loadWaiting(device.vault, store)).map(({ waiting }) => waiting);
    expect(left.filter(({ refused }) => refused === null)).toEqual([]);
    await vi.waitFor(async () => expect(await loadAside(device.vault, store)).toEqual([]));
    const there = (await setting.shownElsewhere()).map(({ name }) => name);
    const found = [...there, ...left.map(({ draft }) => draft.texts.title)];
    expect(found.sort()).toEqual([...texts].sort());
  },
);

test('an app that is older than its server sends nothing of what waits, and the newer one sends it', async () => {
  const { devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  const store = aDisk();
  await keepWaiting(device.vault, store, waitingOf(draftOf('The lamp'), null, newSealId()));
  noteNewerContract(device.vault.queryClient, CONTRACT + 1);
  expect(await sendWaiting(device.vault, store, ignore)).toBe(false);
  expect(device.network.asked.filter((call) => CREATE.test(call))).toEqual([]);
  const [kept] = await loadWaiting(device.vault, store);
  expect(kept?.waiting.refused).toBeNull();
  device.reload();
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
  other.reload();
  expect((await other.vault.lists.load(list)).map(({ name }) => name)).toEqual(['The lamp']);
});

test('what waits while the key is changed elsewhere arrives under the new one, once, and over nothing that has gone on', async () => {
  const { member, devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  await other.writeMemory('One');
  const two = await other.writeMemory('Two');
  const entries = await device.vault.lists.load(list);
  const store = aDisk();
  for (const entry of entries) await keepWaiting(device.vault, store, changeOf(entry, `${entry.name}, mine`));
  await keepWaiting(device.vault, store, waitingOf(draftOf('New'), null, newSealId()));
  await other.changeMemory(two, 'Two, theirs');

  await openSettings(member.browser);
  await beginResealing(member.browser);
  await writeNewWords(member.browser);
  await changeKey(member);
  const key = await keyIn(member);
  const later = aDevice(instance(), { ...member, ...key }, device.memory);
  await sendWaiting(later.vault, store, ignore);
  expect(await sendWaiting(later.vault, store, ignore)).toBe(true);
  const left = (await loadWaiting(later.vault, store)).map(({ waiting }) => waiting);
  expect(left.map(({ draft }) => draft.texts.title)).toContain('Two, mine');
  const fresh = aDevice(instance(), { ...member, ...key });
  const there = (await fresh.vault.lists.load(list)).map(({ name }) => name);
  const all = [...there, ...left.map(({ draft }) => draft.texts.title)].sort();
  // What a change of key has sealed anew is no other text.
  expect(all).toEqual(['New', 'One, mine', 'Two, mine', 'Two, theirs']);
});
