// A recording that is opened as it is played: the browser's player asks for ranges of an address, the service worker of
// public/service-worker.js passes each on to this page, and the page opens the segments that it stands in. A few of them are held at a
// time, whatever the length of the recording.
import { fromBase64Url, toBase64Url } from '../../../crypto/base64.ts';
import type { Bytes } from '../../../crypto/encoding.ts';
import { SEGMENT_BYTES } from '../../../crypto/file-layout.ts';
import { openFileRange } from '../../../vault/files/download.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import type { FileSource } from '../../../vault/files/file-source.ts';
import { registerServiceWorker } from '../device/kept-app.ts';

/** How many segments are held: what is played, what follows it, and where a player looks for its index. */
const SEGMENTS_HELD = 6;
/** How long a worker may take to be there, in milliseconds. */
const WORKER_WITHIN = 8000;

/** What a worker is answered: bytes from where it asked on. None behind the end. */
export interface Piece {
  total: number;
  type: string;
  bytes: Bytes;
}

/** Reads a file by pieces of one segment at most, each opened once for as long as it is held. */
export function pieceReader(
  source: FileSource,
  file: Pick<FileRef, 'id' | 'key' | 'bytes' | 'type'>,
  signal: AbortSignal,
  open: typeof openFileRange = openFileRange,
): (from: number) => Promise<Piece> {
  const { id, bytes: total, type } = file;
  const key = fromBase64Url(file.key);
  const held = new Map<number, Promise<Bytes>>();

  function segment(index: number): Promise<Bytes> {
    const range = { from: index * SEGMENT_BYTES, to: Math.min((index + 1) * SEGMENT_BYTES, total) };
    const bytes = held.get(index) ?? open(source, { id, key, bytes: total }, range, { signal });
    // The one that was asked for last stands last.
    held.delete(index);
    held.set(index, bytes);
    for (const oldest of held.keys()) if (held.size > SEGMENTS_HELD) held.delete(oldest);
    // What fails is asked for anew the next time.
    bytes.catch(() => held.get(index) === bytes && held.delete(index));
    return bytes;
  }

  return async (from) => {
    if (!Number.isSafeInteger(from) || from < 0) throw new RangeError('Not a place in a file');
    if (from >= total) return { total, type, bytes: new Uint8Array() };
    const index = Math.floor(from / SEGMENT_BYTES);
    const wanted = segment(index);
    // A player goes on from there, mostly.
    if ((index + 1) * SEGMENT_BYTES < total) segment(index + 1).catch(() => {});
    return { total, type, bytes: (await wanted).slice(from - index * SEGMENT_BYTES) };
  };
}

/** The worker that passes requests on; null where this browser has none, or not within a few seconds. */
async function mediaWorker(): Promise<ServiceWorkerContainer | null> {
  // Private windows of some browsers have none, and neither has a page without https.
  const { serviceWorker: workers } = navigator;
  if (!workers) return null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WORKER_WITHIN);
  });
  try {
    return await Promise.race([claimedBy(workers), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function claimedBy(workers: ServiceWorkerContainer): Promise<ServiceWorkerContainer> {
  await registerServiceWorker(workers);
  const { active } = await workers.ready;
  if (!workers.controller) {
    const claimed = new Promise((resolve) =>
      workers.addEventListener('controllerchange', resolve, { once: true }),
    );
    active?.postMessage('claim');
    await claimed;
  }
  return workers;
}

/** A recording with an address that a player may ask for ranges. */
export interface PlayedByRange {
  url: string;
  /** Answers nothing from then on. */
  close: () => void;
}

/**
 * Gives a recording an address in this page.
 * @param onFailure called with what opening a piece throws (`openFileRange`); the player itself is told nothing but that it failed
 * @returns null where this browser cannot
 */
export async function playByRange(
  source: FileSource,
  file: FileRef,
  onFailure: (error: unknown) => void,
): Promise<PlayedByRange | null> {
  const workers = await mediaWorker();
  if (!workers) return null;
  const number = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const closing = new AbortController();
  const read = pieceReader(source, file, closing.signal);
  const hear = async ({ data, ports: [port] }: MessageEvent<{ file?: unknown; from: number }>) => {
    if (data?.file !== number || !port) return;
    try {
      const piece = await read(data.from);
      port.postMessage(piece, [piece.bytes.buffer]);
    } catch (error) {
      port.postMessage({});
      if (!closing.signal.aborted) onFailure(error);
    }
  };
  workers.addEventListener('message', hear);
  workers.startMessages();
  return {
    url: `/media/${number}`,
    close() {
      workers.removeEventListener('message', hear);
      closing.abort();
    },
  };
}
