// The files of one form on their way to the server, one after the other, for as long as the form stands open.
import { fromBase64Url } from '../../../crypto/base64.ts';
import { FileChangedError } from '../../../crypto/file.ts';
import { eraseUnclaimed, type FilesVault, isStillThere } from '../../../vault/files/file-calls.ts';
import { lookInto } from '../../../vault/files/pictures/look-into.ts';
import type { LookedInto } from '../../../vault/files/pictures/looked-into.ts';
import { sealedFilesOf } from '../device/sealed-files.ts';
import { addChosen, chosenOn, dropChosen, noteOnlyHere } from './chosen-files.ts';
import type { AddedFile, DraftFiles } from './draft-files.ts';
import { uploadByWorker } from './sealing-work.ts';
import type { UploadState } from './upload-state.ts';
import { whyNotSent } from './why-not-sent.ts';

/** What the queue does with the form that it belongs to. */
export interface QueueForm {
  vault: FilesVault;
  update: (change: (files: DraftFiles) => DraftFiles) => void;
  /** Keeps the draft now, in this browser. */
  keep: () => Promise<unknown>;
}

export class UploadQueue {
  private form: QueueForm;
  private files: readonly AddedFile[] = [];
  private states = new Map<string, UploadState>();
  /** The numbers of files that the server had all of. */
  private readonly whole = new Set<string>();
  /** Those of which the server was asked whether it has them. */
  private readonly asked = new Set<string>();
  private running: { id: string; end: AbortController } | null = null;
  private readonly listeners = new Set<() => void>();
  /** What was found in files that were chosen. */
  private readonly looks = new Map<string, Promise<LookedInto>>();
  private readonly removesPlace: boolean;

  /** @param removesPlace whether a picture that was added is sealed without its place, unless its owner says otherwise */
  constructor(form: QueueForm, removesPlace = false) {
    this.form = form;
    this.removesPlace = removesPlace;
  }

  private get chosen(): Map<string, File> {
    return chosenOn(this.form.vault);
  }

  private get sealed() {
    return sealedFilesOf(this.form.vault);
  }

  subscribe = (changed: () => void) => {
    this.listeners.add(changed);
    return () => void this.listeners.delete(changed);
  };

  /** The states by the numbers of their files: another object with each change. */
  snapshot = (): ReadonlyMap<string, UploadState> => this.states;

  /** The form shows these files now. What is not whole goes on where it can. */
  sync(form: QueueForm, files: readonly AddedFile[]): void {
    this.form = form;
    this.files = files;
    // Its draft was discarded, and may be brought back.
    if (this.running && !this.has(this.running.id)) this.running.end.abort();
    for (const file of files) {
      this.renew(file);
      if (!file.isWhole && !this.states.has(file.id)) this.putInLine(file.id);
      const chosen = this.sealed.isBegun(file.id) ? undefined : this.chosen.get(file.id);
      // What cannot be read is told when it is sent.
      if (chosen) this.lookOnce(file.id, chosen).catch(() => {});
    }
    this.forward();
  }

  /** What fails is tried again with the next try to send it: nothing leaves of what nobody has looked into. */
  private lookOnce(id: string, chosen: File): Promise<LookedInto> {
    const look = this.looks.get(id) ?? this.look(id, chosen);
    this.looks.set(id, look);
    look.catch(() => this.looks.delete(id));
    return look;
  }

  /** Says what a file carries, before anything of it is sealed. */
  private async look(id: string, chosen: File): Promise<LookedInto> {
    const looked = await lookInto(chosen);
    const added = this.files.find((file) => file.id === id);
    if (looked.carried && added && !this.sealed.isBegun(id)) {
      const { carried, without } = looked;
      const placeRemoved = without !== null && (added.placeRemoved ?? this.removesPlace);
      const bytes = placeRemoved ? without.size : chosen.size;
      const { takenAt } = carried;
      this.change(id, {
        ...{ carried, placeRemoved, bytes, chosenBytes: chosen.size },
        ...(takenAt && { takenAt }),
      });
    }
    return looked;
  }

  /**
   * A draft may be older than what the server keeps of it: it is asked once, and keeps the file for longer from then on. What it
   * has denied once may be there all the same, so that a file which waits to be chosen again is asked about as well.
   */
  private renew(file: AddedFile): void {
    const { id, isWhole } = file;
    if (this.asked.has(id) || (!isWhole && this.chosen.has(id))) return;
    this.asked.add(id);
    if (isWhole) this.whole.add(id);
    // Whether it is there is seen once it is sealed.
    this.askFor(file).catch(() => {});
  }

  private async askFor({ id, bytes, ...file }: AddedFile): Promise<void> {
    const root = file.root ?? (await this.sealed.sealedRoot(id, bytes));
    if (root !== null) this.settle(id, await isStillThere(this.form.vault, id), root);
  }

  private settle(id: string, isThere: boolean, root: string): void {
    const file = this.files.find((one) => one.id === id);
    if (!file || file.isWhole === isThere || (isThere && this.chosen.has(id))) return;
    if (isThere) {
      this.whole.add(id);
      this.forget(id);
    }
    this.change(id, { isWhole: isThere, root });
  }

  /** The server has denied a file, and somebody wants it asked once more. */
  askAgain(id: string): void {
    this.asked.delete(id);
    const file = this.files.find((one) => one.id === id);
    if (file) this.renew(file);
  }

  private putInLine(id: string): void {
    const unchosen = this.whole.has(id) ? 'gone' : 'lost';
    this.tell(id, { is: this.chosen.has(id) ? 'waiting' : unchosen });
  }

  /** The form is left: what is under way ends, and goes on when it stands open again. */
  end(): void {
    this.running?.end.abort();
    this.files = [];
    this.states = new Map();
  }

  /** Takes what was begun before the page was left and is chosen again. @returns whether it is that */
  takeAgain(file: File): boolean {
    const begun = this.files.find(({ id, name, bytes, chosenBytes = bytes }) => {
      const is = this.states.get(id)?.is;
      return (is === 'lost' || is === 'gone') && name === file.name && chosenBytes === file.size;
    });
    if (begun) this.choose(begun.id, file);
    return begun !== undefined;
  }

  /**
   * The same file, chosen again. Whether it is the same is seen while what was sealed of it is read. Where that is not known, some
   * of it may have left all the same: then it begins anew, so that nothing else is ever sealed under its key.
   */
  choose(id: string, file: File): void {
    const begun = this.files.find((one) => one.id === id);
    if (begun && (begun.chosenBytes ?? begun.bytes) !== file.size)
      this.tell(id, { is: 'failed', why: whyNotSent(new FileChangedError()), error: null });
    else void this.sealed.sealedSoFar(id).then((sealed) => this.goOn(id, file, sealed !== null));
  }

  private goOn(id: string, file: File, isKnown: boolean): void {
    const begun = this.files.find((one) => one.id === id);
    if (!begun || this.chosen.has(id)) return;
    if (isKnown) {
      this.chosen.set(id, file);
      this.resume(id);
    } else this.replace(begun, file, begun.placeRemoved);
  }

  /** Whether a file can be sealed with or without its place by now: the page has what was chosen. */
  isAtHand = (id: string): boolean => this.chosen.has(id);

  /** A file with or without its place is another file: what has arrived of this one is erased. */
  removePlace(id: string, isRemoved: boolean): void {
    const begun = this.files.find((one) => one.id === id);
    const file = this.chosen.get(id);
    if (begun && file) this.replace(begun, file, isRemoved);
  }

  /** The same file under another number and key. */
  private replace(begun: AddedFile, file: File, placeRemoved: boolean | undefined): void {
    // Of what was chosen it is said anew how long it is.
    const { chosenBytes: _, placeRemoved: __, ...known } = begun;
    const anew: AddedFile = {
      ...addChosen(this.form.vault, file, known),
      ...(placeRemoved !== undefined && { placeRemoved }),
    };
    this.form.update(({ added, removed }) => ({
      added: added.map((one) => (one.id === begun.id ? anew : one)),
      removed,
    }));
    this.remove(begun.id);
  }

  pause(id: string): void {
    this.tell(id, { is: 'paused' });
    if (this.running?.id === id) this.running.end.abort();
  }

  resume(id: string): void {
    this.putInLine(id);
    this.forward();
  }

  /** It is taken out of the form: what has arrived of it is erased, unless an entry has it. */
  remove(id: string): void {
    if (this.running?.id === id) this.running.end.abort();
    // Nothing leaves before it is kept how far it was sealed. A page before may have begun it.
    const hasLeft = !this.chosen.has(id) || this.sealed.isBegun(id);
    dropChosen(this.form.vault, id);
    this.forget(id);
    if (!hasLeft) return;
    void eraseUnclaimed(this.form.vault, id);
    void this.sealed.forgetSealed(id);
  }

  private has(id: string): boolean {
    return this.files.some((file) => file.id === id);
  }

  private forget(id: string): void {
    this.states = new Map([...this.states].filter(([other]) => other !== id));
    for (const changed of this.listeners) changed();
  }

  private tell(id: string, state: UploadState): void {
    this.states = new Map([...this.states, [id, state]]);
    for (const changed of this.listeners) changed();
  }

  private forward(): void {
    if (this.running) return;
    const next = this.files.find(({ id, isWhole }) => !isWhole && this.states.get(id)?.is === 'waiting');
    const file = next && this.chosen.get(next.id);
    if (!next || !file) return;
    const running = { id: next.id, end: new AbortController() };
    this.running = running;
    void this.send(next, file, running.end.signal).finally(() => {
      this.running = null;
      this.forward();
    });
  }

  /** A file as it is sealed. @throws FileChangedError where it was begun otherwise; what reading it throws */
  private async asSealed(id: string, chosen: File): Promise<Blob> {
    const isBegun = this.sealed.isBegun(id);
    const looked = await (isBegun ? this.looks.get(id) : this.lookOnce(id, chosen));
    const added = this.files.find((file) => file.id === id);
    if (!isBegun && looked?.size && /^image\//.test(chosen.type)) {
      // Fetched with the first picture.
      const { pictureOf } = await import('./thumbnail.ts');
      this.change(id, await pictureOf(chosen, looked));
    }
    if (!added?.placeRemoved) return chosen;
    const { without } = looked ?? (await lookInto(chosen));
    if (without?.size !== added.bytes) throw new FileChangedError();
    return without;
  }

  private async send({ id, key }: AddedFile, chosen: File, signal: AbortSignal): Promise<void> {
    this.tell(id, { is: 'underway', progress: null });
    try {
      const file = await this.asSealed(id, chosen);
      signal.throwIfAborted();
      const sealed = await this.sealed.sealedSoFar(id);
      const begun = { id, key: fromBase64Url(key), sealed };
      const root = await uploadByWorker(this.form.vault, file, begun, {
        signal,
        onProgress: (progress) => !signal.aborted && this.tell(id, { is: 'underway', progress }),
        keepSealed: (soFar) => this.sealed.keepSealed(id, soFar),
      });
      this.whole.add(id);
      this.asked.add(id);
      noteOnlyHere(id, false);
      this.forget(id);
      this.change(id, { isWhole: true, root });
      void this.form.keep();
    } catch (error) {
      if (!signal.aborted) this.tell(id, { is: 'failed', why: whyNotSent(error), error });
      else if (this.states.get(id)?.is === 'underway') {
        // Its draft was discarded, and may be back by now.
        if (this.has(id)) this.putInLine(id);
        else this.forget(id);
      }
    }
  }

  /** Says more of a file that the form still has. */
  private change(id: string, part: Partial<AddedFile>): void {
    const changed = (file: AddedFile) => (file.id === id ? { ...file, ...part } : file);
    this.files = this.files.map(changed);
    this.form.update(({ added, removed }) => ({ added: added.map(changed), removed }));
  }
}
