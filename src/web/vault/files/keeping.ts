// Keeping files of entries on this device, so that they open without a connection: one after the other, for as long as the vault is
// open, whatever is on the screen.
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import type { FileSource } from '../../../vault/files/file-source.ts';
import type { KeptFiles } from '../../../vault/files/kept-pieces.ts';

/** What is known of a file and this device. `done`: bytes of the file that are here. */
export type KeepingState = { is: 'whole' } | { is: 'underway'; done: number } | { is: 'failed'; why: string };

/** What fetches them, and proves what they are: fetched with the first one that is to be kept. */
const loadPart = () => import('./keep-whole.ts');
type Part = Awaited<ReturnType<typeof loadPart>>;

/** The files of one vault that this page has kept, or keeps just now. */
export class Keeping {
  /** By file; null until it is known what is here. */
  private states: ReadonlyMap<string, KeepingState> | null = null;
  private readonly underway = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();
  readonly store: KeptFiles;
  private readonly source: FileSource;

  constructor(source: FileSource, store: KeptFiles) {
    this.source = source;
    this.store = store;
    void this.lookAnew();
  }

  readonly subscribe = (changed: () => void): (() => void) => {
    this.listeners.add(changed);
    return () => void this.listeners.delete(changed);
  };

  readonly current = (): ReadonlyMap<string, KeepingState> | null => this.states;

  /** Keeps what of them is not here yet. What goes wrong with one is said of it, and the others are not begun. */
  async keep(files: readonly FileRef[]): Promise<void> {
    const end = new AbortController();
    const missing = files.filter(({ id }) => this.states?.get(id)?.is !== 'whole' && !this.underway.has(id));
    for (const { id } of missing) {
      this.underway.set(id, end);
      this.tell(id, { is: 'underway', done: 0 });
    }
    let whyNotKept = sentenceOf;
    try {
      const part = await loadPart();
      whyNotKept = part.whyNotKept;
      await part.checkRoom(missing);
      for (const file of missing) await this.keepOne(part, file, end.signal);
    } catch (error) {
      const isEnded = end.signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
      const why = whyNotKept(error);
      for (const { id } of missing)
        if (this.underway.has(id)) this.tell(id, isEnded ? null : { is: 'failed', why });
    } finally {
      for (const { id } of missing) this.underway.delete(id);
    }
  }

  /** The numbers of the files of which something is here, or is on its way here. */
  async ids(): Promise<string[]> {
    return [...new Set([...(await this.store.list()).keys(), ...this.underway.keys()])];
  }

  /** Ends keeping them, and erases what is here of them. */
  async drop(files: readonly Pick<FileRef, 'id'>[]): Promise<void> {
    for (const { id } of files) this.underway.get(id)?.abort();
    // What could not be erased is still shown as what is here.
    await this.store.drop(files.map(({ id }) => id)).catch(() => {});
    await this.lookAnew();
  }

  private async keepOne({ keepWhole }: Part, file: FileRef, signal: AbortSignal): Promise<void> {
    const onProgress = (done: number) => this.tell(file.id, { is: 'underway', done });
    await keepWhole(this.source, this.store, file, { signal, onProgress });
    this.underway.delete(file.id);
    this.tell(file.id, { is: 'whole' });
  }

  private async lookAnew(): Promise<void> {
    const here = await this.store.list();
    const states = new Map<string, KeepingState>();
    for (const [id, { isWhole }] of here) if (isWhole) states.set(id, { is: 'whole' });
    for (const id of this.underway.keys())
      states.set(id, this.states?.get(id) ?? { is: 'underway', done: 0 });
    this.publish(states);
  }

  private tell(id: string, state: KeepingState | null): void {
    const states = new Map(this.states);
    if (state) states.set(id, state);
    else states.delete(id);
    this.publish(states);
  }

  private publish(states: ReadonlyMap<string, KeepingState>): void {
    this.states = states;
    for (const changed of this.listeners) changed();
  }
}
