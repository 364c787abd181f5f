// The files of one form on their way to the server, one after the other, for as long as the form stands open.
import { fromBase64Url, toBase64Url } from '../../../crypto/base64.ts';
import { FileChangedError, newFile } from '../../../crypto/file.ts';
import { sealedLength } from '../../../crypto/file-layout.ts';
import { FILE_BYTES_MAX, FILES_OF_ENTRY_MAX } from '../../../shared/file-limits.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { eraseUnclaimed, type FilesVault, isStillThere } from '../../../vault/files/file-calls.ts';
import { tidyName, tidyType } from '../../../vault/files/file-name.ts';
import { PartsRefused, type UploadProgress, uploadFile } from '../../../vault/files/upload.ts';
import type { AddedFile, DraftFiles } from './draft-files.ts';
import { pictureOf } from './thumbnail.ts';

/**
 * How far one file is. `lost`: the page was left since it was chosen, so that it has to be chosen again. `gone`: the server had
 * all of it and does not have it now, and it has to be chosen again.
 */
export type UploadState =
  | { is: 'waiting' | 'paused' | 'lost' | 'gone' }
  | { is: 'underway'; progress: UploadProgress | null }
  | { is: 'failed'; why: string; error: unknown };

/** What the queue does with the form that it belongs to. */
export interface QueueForm {
  vault: FilesVault;
  update: (change: (files: DraftFiles) => DraftFiles) => void;
  /** Keeps the draft now, in this browser. */
  keep: () => Promise<unknown>;
}

/** The files that were chosen since a page was opened, by its line to the server and their numbers. */
const chosenOnPages = new WeakMap<FilesVault['api'], Map<string, File>>();

function chosenOn({ api }: FilesVault): Map<string, File> {
  const chosen = chosenOnPages.get(api) ?? new Map<string, File>();
  chosenOnPages.set(api, chosen);
  return chosen;
}

/** What a person is told when a file could not be sent. */
export function whyNotSent(error: unknown): string {
  if (error instanceof FileChangedError)
    return 'This is not the file that was begun, or it was changed since. Remove it here, and add it anew.';
  if (error instanceof PartsRefused)
    return 'Something between this browser and the server takes no files, not even in pieces of 256 KB. The server’s administrator can change that.';
  if (error instanceof DOMException && error.name !== 'AbortError')
    return 'It can no longer be read: it was moved, changed or deleted since it was chosen.';
  return sentenceOf(error);
}

/** Why a file is not taken; null where it is. @param there how many the entry has */
export function whyNotTaken({ name, size }: File, there: number): string | null {
  if (there >= FILES_OF_ENTRY_MAX)
    return `“${tidyName(name)}” was not added. An entry has ${FILES_OF_ENTRY_MAX} files at most.`;
  return sealedLength(size) > FILE_BYTES_MAX
    ? `“${tidyName(name)}” was not added. The largest file that is taken has ${formatBytes(FILE_BYTES_MAX)}.`
    : null;
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

  constructor(form: QueueForm) {
    this.form = form;
  }

  private get chosen(): Map<string, File> {
    return chosenOn(this.form.vault);
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
    }
    this.forward();
  }

  /**
   * A draft may be older than what the server keeps of it: it is asked once, and keeps the file for longer from then on. What it
   * has denied once may be there all the same, so that a file which waits to be chosen again is asked about as well.
   */
  private renew({ id, root, isWhole }: AddedFile): void {
    if (this.asked.has(id) || (!isWhole && (root === null || this.chosen.has(id)))) return;
    this.asked.add(id);
    if (isWhole) this.whole.add(id);
    isStillThere(this.form.vault, id).then(
      (isThere) => this.settle(id, isThere),
      // Whether it is there is seen once it is sealed.
      () => {},
    );
  }

  private settle(id: string, isThere: boolean): void {
    const file = this.files.find((one) => one.id === id);
    if (!file || file.isWhole === isThere || (isThere && this.chosen.has(id))) return;
    if (isThere) {
      this.whole.add(id);
      this.forget(id);
    }
    this.change(id, { isWhole: isThere });
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

  /** A file that was chosen, as the draft keeps it from now on. */
  add(file: File): AddedFile {
    const { id, key } = newFile();
    this.chosen.set(id, file);
    const name = tidyName(file.name);
    const type = tidyType(file.type);
    return { id, key: toBase64Url(key), name, type, bytes: file.size, root: null, isWhole: false };
  }

  /**
   * The same file, chosen again. Whether it is the same is seen while it is read, by its root. Where no root was kept, some of
   * it may have left all the same: then it begins anew, so that nothing else is ever sealed under its key.
   */
  choose(id: string, file: File): void {
    const begun = this.files.find((one) => one.id === id);
    if (begun && begun.bytes !== file.size) {
      this.tell(id, { is: 'failed', why: whyNotSent(new FileChangedError()), error: null });
      return;
    }
    if (begun?.root === null) {
      const anew = this.add(file);
      this.form.update(({ added, removed }) => ({
        added: added.map((one) => (one.id === id ? anew : one)),
        removed,
      }));
      this.remove(id);
      return;
    }
    this.chosen.set(id, file);
    this.resume(id);
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
    this.chosen.delete(id);
    this.forget(id);
    void eraseUnclaimed(this.form.vault, id);
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

  private async send(added: AddedFile, file: File, signal: AbortSignal): Promise<void> {
    const { id } = added;
    this.tell(id, { is: 'underway', progress: null });
    try {
      if (added.root === null) this.change(id, await pictureOf(file));
      signal.throwIfAborted();
      const root = await uploadFile(
        this.form.vault,
        file,
        { id, key: fromBase64Url(added.key), root: added.root },
        {
          signal,
          onProgress: (progress) => !signal.aborted && this.tell(id, { is: 'underway', progress }),
          keepRoot: (root) => {
            this.change(id, { root });
            return this.form.keep();
          },
        },
      );
      this.whole.add(id);
      this.asked.add(id);
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
