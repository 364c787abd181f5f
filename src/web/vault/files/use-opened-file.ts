// A sealed file in the reader: opened to be shown, and handed to the person in front of it.
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { FileExchanged, FileMissing, openFile, saveFile } from '../../../vault/files/download.ts';
import { UNKNOWN_TYPE } from '../../../vault/files/file-name.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { downloadBlob } from '../../ui/download.ts';
import { placeOnDisk } from '../../ui/place-on-disk.ts';
import { useFileSource } from './file-sources.ts';
import { asKept, openShown, PictureTooLarge, PictureUnmeasured } from './open-shown.ts';
import { playByRange } from './played-by-range.ts';
import { RANGED_FROM, SHOWN_BYTES_MAX, type ShownAs } from './shown-inline.ts';

/** What a person is told when a file does not open. */
export function whyNotOpened(error: unknown): string {
  if (error instanceof FileMissing)
    return 'This server does not have this file, or does not give it out any more. What names it is still here.';
  if (error instanceof FileExchanged)
    return 'What this server gave is not the file that was sealed, or not all of it. It is not shown.';
  if (error instanceof PictureTooLarge)
    return 'This picture has more than 67 million pixels, or says so: drawing it could take more memory than a phone has. It is not shown. Download it to look at it.';
  if (error instanceof PictureUnmeasured)
    return 'How large this picture would be cannot be told from what is in it. It is not shown, as drawing it might fill the memory. Download it to look at it.';
  return sentenceOf(error);
}

export type Opened =
  | { is: 'opening'; done: number }
  | { is: 'open'; url: string; isRanged: boolean }
  | { is: 'failed'; why: string };

const UNPLAYABLE = {
  kind: 'This browser cannot play it. Download it to play it with another program.',
  size: 'This browser cannot play so large a recording piece by piece. Download it to play it.',
};

/**
 * Opens a file for as long as it is shown: a long recording as it is played, where the browser can, and anything else whole. Its
 * address holds no longer than that.
 */
export function useOpenedFile(file: FileRef, as: ShownAs): Opened & { onUnplayable: () => void } {
  const source = useFileSource();
  const [opened, setOpened] = useState<Opened>({ is: 'opening', done: 0 });
  const [ranged, setRanged] = useState(as !== 'image' && file.bytes >= RANGED_FROM);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is another number
  useEffect(() => {
    if (as === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let release = () => {};
    const tell = (next: Opened) => !signal.aborted && setOpened(next);
    const fail = (error: unknown) => tell({ is: 'failed', why: whyNotOpened(error) });
    async function openByRange(): Promise<void> {
      const played = await playByRange(source, file, fail);
      if (!played) return setRanged(false);
      release = played.close;
      if (signal.aborted) release();
      else tell({ is: 'open', url: played.url, isRanged: true });
    }
    async function openWhole(): Promise<void> {
      if (file.bytes > SHOWN_BYTES_MAX) return void tell({ is: 'failed', why: UNPLAYABLE.size });
      const onProgress = (done: number) => tell({ is: 'opening', done });
      const url = URL.createObjectURL(await openShown(source, file, { signal, onProgress }));
      release = () => URL.revokeObjectURL(url);
      if (signal.aborted) release();
      else tell({ is: 'open', url, isRanged: false });
    }
    setOpened({ is: 'opening', done: 0 });
    (ranged ? openByRange() : openWhole()).catch(fail);
    return () => {
      leaving.abort();
      release();
    };
  }, [file.id, as, ranged, source]);
  return {
    ...opened,
    /** The player gave up: what was asked for by ranges is tried whole. */
    onUnplayable() {
      if (opened.is !== 'open') return;
      if (opened.isRanged) setRanged(false);
      else setOpened({ is: 'failed', why: UNPLAYABLE.kind });
    },
  };
}

export type Saving = { is: 'saving'; done: number } | { is: 'failed'; why: string } | null;

/**
 * Saves files under their names. Large ones go to the disk piece by piece where the browser can choose a place for them;
 * elsewhere the browser collects them first, with whatever room it has.
 */
export function useSaving(file: FileRef): { saving: Saving; save: () => Promise<void> } {
  const source = useFileSource();
  const [saving, setSaving] = useState<Saving>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  async function save(): Promise<void> {
    const { signal } = leaving.current;
    const options = { signal, onProgress: (done: number) => setSaving({ is: 'saving', done }) };
    try {
      const place = await placeOnDisk(file.name, file.bytes);
      if (place) await saveFile(source, asKept(file), place, options);
      else {
        setSaving({ is: 'saving', done: 0 });
        // A type that no browser shows by itself.
        downloadBlob(await openFile(source, asKept(file), UNKNOWN_TYPE, options), file.name);
      }
      setSaving(null);
    } catch (error) {
      const isLeft = signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
      setSaving(isLeft ? null : { is: 'failed', why: whyNotOpened(error) });
    }
  }

  return { saving, save };
}
