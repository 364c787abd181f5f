// A sealed file in the reader: opened to be shown, and handed to the person in front of it.
import { useEffect, useRef, useState } from 'react';
import { fromBase64Url } from '../../../crypto/base64.ts';
import type { Bytes } from '../../../crypto/encoding.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { FileExchanged, FileMissing, openFile, saveFile } from '../../../vault/files/download.ts';
import { UNKNOWN_TYPE } from '../../../vault/files/file-name.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { useFileSource } from './file-sources.ts';

/** What a person is told when a file does not open. */
export function whyNotOpened(error: unknown): string {
  if (error instanceof FileMissing)
    return 'This server does not have this file, or does not give it out any more. What names it is still here.';
  if (error instanceof FileExchanged)
    return 'What this server gave is not the file that was sealed, or not all of it. It is not shown.';
  return sentenceOf(error);
}

const asKept = ({ id, key, root, bytes }: FileRef) => ({
  ...{ id, bytes },
  key: fromBase64Url(key),
  root: fromBase64Url(root),
});

export type Opened =
  | { is: 'opening'; done: number }
  | { is: 'open'; url: string }
  | { is: 'failed'; why: string };

/** Opens a file for as long as it is shown. Its address is revoked after that. */
export function useOpenedFile(file: FileRef, isWanted: boolean): Opened {
  const source = useFileSource();
  const [opened, setOpened] = useState<Opened>({ is: 'opening', done: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is another number
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let url: string | null = null;
    setOpened({ is: 'opening', done: 0 });
    const onProgress = (done: number) => !signal.aborted && setOpened({ is: 'opening', done });
    openFile(source, asKept(file), file.type, { signal, onProgress }).then(
      (blob) => {
        if (signal.aborted) return;
        url = URL.createObjectURL(blob);
        setOpened({ is: 'open', url });
      },
      (error) => !signal.aborted && setOpened({ is: 'failed', why: whyNotOpened(error) }),
    );
    return () => {
      leaving.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [file.id, isWanted, source]);
  return opened;
}

interface SavingPicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{
    createWritable(): Promise<WritableStream<Bytes>>;
  }>;
}

/** From this size on a file is written to the disk as it comes, where the browser can. In bytes. */
const STREAMED_FROM = 64 * 1024 ** 2;

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
    const { showSaveFilePicker } = window as SavingPicker;
    try {
      if (showSaveFilePicker && file.bytes >= STREAMED_FROM) {
        const place = await showSaveFilePicker.call(window, { suggestedName: file.name });
        await saveFile(source, asKept(file), await place.createWritable(), options);
      } else {
        setSaving({ is: 'saving', done: 0 });
        // A type that no browser shows by itself.
        handOver(await openFile(source, asKept(file), UNKNOWN_TYPE, options), file.name);
      }
      setSaving(null);
    } catch (error) {
      const isLeft = signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
      setSaving(isLeft ? null : { is: 'failed', why: whyNotOpened(error) });
    }
  }

  return { saving, save };
}

/** How long a file that is handed over keeps its address, in milliseconds. */
const HELD_FOR = 40_000;

function handOver(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Until the browser has taken the file over the address must hold: Safari takes a while with large ones.
  setTimeout(() => URL.revokeObjectURL(url), HELD_FOR);
}
