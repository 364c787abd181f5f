// Where the value of one open form is kept: its slot in this browser, once there is one. What is written before that waits.
import { olderKeys } from '../../../vault/keys/key-ring.ts';
import { countWaiting } from '../device/waiting-count.ts';
import { changeOfForm, dropDraft, keepDraft, loadDraft } from '../session/drafts.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { type ClaimedSlot, claimSlot } from './draft-slots.ts';

/** How long nothing is written before a draft is kept, in milliseconds. */
const PAUSE = 400;

function newInterruption(): { promise: Promise<null>; interrupt: () => void } {
  let interrupt = () => {};
  const promise = new Promise<null>((resolve) => {
    interrupt = () => resolve(null);
  });
  return { promise, interrupt };
}

export class KeptDraft<T> {
  /** The vault as its page has it now: its key may have been changed. */
  vault: OpenVault;
  private readonly form: string;
  private slot: ClaimedSlot<T> | null = null;
  private claiming: Promise<ClaimedSlot<T> | null> = Promise.resolve(null);
  private interruption = newInterruption();
  private unsaved: { value: T } | null = null;
  private kept: Promise<boolean> = Promise.resolve(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(form: string, vault: OpenVault) {
    this.form = form;
    this.vault = vault;
  }

  /** The slot that it is kept in; null before there is one. */
  get name(): string | null {
    return this.slot?.name ?? null;
  }

  get hasUnsaved(): boolean {
    return this.unsaved !== null;
  }

  /** The form is shown. */
  open(): void {
    this.interruption = newInterruption();
  }

  /** Finds a slot, with the draft that waits in it. */
  claim(wantsEmpty: () => boolean, isOver: () => boolean): Promise<ClaimedSlot<T> | null> {
    const uid = this.vault.user.id;
    const load = (name: string) =>
      loadDraft<T>(uid, name, this.vault.contentKey, () => olderKeys(this.vault));
    const interrupted = this.interruption.promise;
    const claim = async () => {
      // Whoever writes must not wait for that, nor for a tab that is sending.
      await Promise.race([this.takeBack().catch(() => {}), interrupted]);
      this.slot = await claimSlot<T>(uid, this.form, { load, wantsEmpty, interrupted, isOver });
      return this.slot;
    };
    this.claiming = claim();
    return this.claiming;
  }

  /** A change to the same entry that waits for the server is written on, so that there are never two of them. */
  private async takeBack(): Promise<void> {
    if (countWaiting(this.vault.user.id) === 0 || !changeOfForm(this.form)) return;
    const { takeBack } = await import('./send-waiting.ts');
    await takeBack(this.vault, ({ form }) => form.name === this.form);
  }

  /** Somebody writes: what is being looked for must not come in the place of that. */
  interrupt(): void {
    this.interruption.interrupt();
  }

  /** This is to be kept, at the latest when the form is left. */
  write(value: T): void {
    this.unsaved = { value };
  }

  saveSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.save, PAUSE);
  }

  save = (): void => {
    clearTimeout(this.timer);
    if (!this.unsaved || !this.slot) return;
    const { value } = this.unsaved;
    this.unsaved = null;
    const { user, contentKey } = this.vault;
    this.kept = keepDraft(user.id, this.slot.name, contentKey, value);
  };

  /** @returns whether this browser has it */
  async keep(value: () => T): Promise<boolean> {
    await this.claiming;
    this.write(value());
    this.save();
    return this.kept;
  }

  /** Keeps what was written where it is kept, and goes on in an empty slot. */
  async leaveThere(): Promise<void> {
    this.save();
    if (!(await this.kept)) return;
    this.release();
    await this.claim(
      () => true,
      () => false,
    );
  }

  release(): void {
    this.slot?.release(this.kept);
    this.slot = null;
  }

  drop(): void {
    clearTimeout(this.timer);
    this.unsaved = null;
    if (this.slot) dropDraft(this.vault.user.id, this.slot.name);
  }

  /** It is dropped, and nothing of it is kept. */
  discard(): void {
    this.drop();
    this.kept = Promise.resolve(false);
  }
}
