// A device whose browser can be killed at any step, and whatever else may happen to it and its vault while entries wait there, as it is
// drawn: for the schedules of what waits (vault/entries/waiting-schedules.test.tsx).

import { newSealId } from '../../crypto/seal.ts';
import { dice } from '../../crypto/testing/dice.ts';
import { DAY } from '../../shared/time.ts';
import type { TestInstance } from '../../testing/instance.ts';
import { olderKeys } from '../../vault/keys/key-ring.ts';
import { memoryKind, type OpenedMemory } from '../../vault/kinds/memory.ts';
import { entryWriter } from '../../vault/outbox/entry-writer.ts';
import {
  keepWaiting,
  loadAside,
  loadWaiting,
  sendWaiting,
  type WaitingEntry,
  type WaitingStore,
} from '../../vault/outbox/waiting.ts';
import { entryListOf } from '../../vault/replica/entry-list.ts';
import { isTooOld } from '../api/app-state.ts';
import { noteWaiting } from '../vault/device/waiting-count.ts';
import type * as TakenBack from '../vault/entries/taken-back.ts';
import { aDisk, changeOf, diskOfPage, draftOf, Killed, waitingOf } from '../vault/entries/testing/waiting.ts';
import { draftNames, dropDraft, loadDraft } from '../vault/session/drafts.ts';
import type { Device } from './devices.ts';
import { enterAgain, type OtherBrowser } from './key-elsewhere.ts';
import { loseAnswer } from './network.ts';

const list = entryListOf(memoryKind);
const CREATE = /^POST \/api\/memory-entries$/;
const CHANGE = /^PATCH \/api\/memory-entries\/\d+$/;
const ignore = () => {};

let pages = 0;
/** A page that was loaded anew: what it knows of drafts is its own. All else is as one has it that has just come. */
export async function aPage(): Promise<typeof TakenBack> {
  pages += 1;
  return import(/* @vite-ignore */ `../vault/entries/taken-back.ts?page=${pages}`);
}

/** What a form of this test keeps of an entry that was taken back. */
type FormValue = ReturnType<typeof waitingOf>['form']['value'] &
  Pick<WaitingEntry, 'over'> & { title: string; sealId: string };

/** What may go wrong with a step, and how often; for the rest of the steps nothing does. */
const MISHAPS = {
  'no line': 0.18,
  'full disk': 0.07,
  'no session': 0.06,
  'key changed elsewhere': 0.06,
  'answer to a new entry lost': 0.1,
  'answer to a change lost': 0.09,
  'sent twice': 0.1,
  killed: 0.19,
} as const;
export const everyMishap = Object.keys(MISHAPS) as (keyof typeof MISHAPS)[];
type Mishap = (typeof everyMishap)[number];

/** A device whose browser can be killed at any step, whose disk can be full and whose session can end; and what was written on it. */
export class Setting {
  readonly device: Device;
  private readonly server: TestInstance;
  private readonly elsewhere: OtherBrowser;
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
  private isFull = false;
  private hasSession = true;
  /** The key was changed elsewhere, which has ended the session here: what is written goes on waiting under the older one. */
  private isOutdated = false;
  private isEntering = false;
  readonly happened = new Set<Mishap>();

  /** @param elsewhere another browser, in a session of its own */
  constructor(
    server: TestInstance,
    device: Device,
    elsewhere: OtherBrowser,
    page: typeof TakenBack,
    seed: number,
  ) {
    this.server = server;
    this.device = device;
    this.elsewhere = elsewhere;
    this.page = page;
    this.disk = diskOfPage(this.store, () => this.page !== page);
    const roll = dice(seed);
    this.draw = () => roll(2 ** 32) / 2 ** 32;
    device.network.intercept(async (_, forward) => {
      this.step();
      const answer =
        this.hasSession && (!this.isOutdated || this.isEntering)
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
    const { vault } = this.device;
    const { user, contentKey } = vault;
    const found = await Promise.all(
      draftNames(user.id).map(async (slot) => {
        const value = await loadDraft<FormValue>(user.id, slot, contentKey, () => olderKeys(vault));
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
    const { device } = this.elsewhere;
    await this.elsewhere.use(() => entryWriter(memoryKind, device.vault).update(now, draftOf(title)));
    this.texts.delete(now.name ?? '');
    this.texts.add(title);
  }

  /** As a device that has just come has it. */
  shownElsewhere(): Promise<OpenedMemory[]> {
    const { device } = this.elsewhere;
    device.reload();
    return this.elsewhere.use(async () => [...(await device.vault.lists.load(list))]);
  }

  private drawMishap(): Mishap | null {
    let left = this.draw();
    for (const mishap of everyMishap) {
      left -= MISHAPS[mishap];
      if (left < 0) return mishap;
    }
    return null;
  }

  async mishap(): Promise<void> {
    const { device, draw } = this;
    const mishap = this.drawMishap();
    if (mishap) this.happened.add(mishap);
    device.network.cut(mishap === 'no line');
    this.isFull = mishap === 'full disk';
    this.hasSession = mishap !== 'no session';
    if (mishap === 'answer to a new entry lost') loseAnswer(device.network, CREATE);
    if (mishap === 'answer to a change lost') loseAnswer(device.network, CHANGE);
    if (mishap === 'sent twice') this.sendTwice();
    if (mishap === 'key changed elsewhere') {
      await this.elsewhere.changeKey();
      this.isOutdated = true;
    }
    // At each step of what it does next: before and after every request, and before everything on its disk.
    if (mishap === 'killed') this.stepsLeft = Math.floor(draw() * 16);
    if (this.isOutdated && draw() < 0.4) await this.enter();
    if (draw() < 0.3) await this.takeBack();
    if (draw() < 0.6) await this.send(draw() < 0.25);
    if (draw() < 0.5) await this.keepForms();
    if (draw() < 0.4) await this.sealDrafts();
    if (this.stepsLeft < 0 || draw() < 0.3) await this.restart();
  }

  private calm(): void {
    this.isFull = false;
    this.hasSession = true;
    this.stepsLeft = Number.POSITIVE_INFINITY;
    this.device.network.cut(false);
  }

  /** Its owner comes in again, with the new key. Where that ends at any step, nothing is written before it was done once more. */
  private async enter(): Promise<void> {
    this.isEntering = true;
    const { device, store } = this;
    noteWaiting(device.vault.user.id, store.entries.size);
    await enterAgain(device).catch(() => {
      this.calm();
      return enterAgain(device);
    });
    // The other browser, which has the memory of this one's page, has none of them.
    noteWaiting(device.vault.user.id, 0);
    [this.isEntering, this.isOutdated] = [false, false];
    await this.restart();
  }

  /** What lies between sends a write once more. */
  private sendTwice(): void {
    const end = this.device.network.intercept(async (request, forward) => {
      if (request.method === 'GET') return forward();
      end();
      const again = request.clone();
      const answer = await forward();
      await this.server.app.request(again);
      return answer;
    });
  }

  /** @param inTwo whether two tabs send at the same time, as in a browser that cannot keep one of them from it */
  private async send(inTwo: boolean): Promise<void> {
    if (isTooOld(this.device.vault.queryClient)) return;
    const tab = () => sendWaiting(this.device.vault, this.store, ignore).catch(ignore);
    await Promise.all([tab(), inTwo && tab()]);
  }

  /** Nothing goes wrong any more. @returns whether nothing waits but for its author */
  async settle(): Promise<boolean> {
    this.calm();
    await (this.isOutdated ? this.enter() : this.restart());
    await this.keepForms();
    await this.sealDrafts();
    await sendWaiting(this.device.vault, this.store, ignore);
    return sendWaiting(this.device.vault, this.store, ignore);
  }
}
