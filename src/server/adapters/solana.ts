// The holders of a token on Solana, from any JSON-RPC. This file is part of every start and therefore loads nothing of
// `@solana/kit`: a thread does, for the time of one reading.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { HolderReadError, type HolderReading, type HolderSource } from './holder-reading.ts';
import type { WorkerMessage } from './holder-worker.ts';
import type { HolderRequest } from './solana-holders.ts';

/** Reads once; it ends when the signal is aborted. */
export type HolderRunner = (request: HolderRequest, signal: AbortSignal) => Promise<HolderReading>;

export interface HolderSourceOptions {
  /** Of any Solana JSON-RPC. It may hold a key, and is repeated nowhere. */
  url: URL;
  /** base58 */
  mint: string;
  /** Owners who are no holders, base58. */
  exclude: ReadonlySet<string>;
  /** How long one reading may take, in milliseconds. */
  timeoutMs: number;
  run?: HolderRunner;
}

export function createHolderSource(options: HolderSourceOptions): HolderSource {
  const { url, mint, exclude, timeoutMs, run = defaultRunner() } = options;
  return {
    mint,
    async read(signal) {
      signal.throwIfAborted();
      const end = new AbortController();
      const stop = () => end.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const timer = setTimeout(() => end.abort(new HolderReadError('timeout')), timeoutMs);
      try {
        return await run({ url: url.href, mint, exclude: [...exclude] }, end.signal);
      } catch (error) {
        // Why it was ended, whatever the calls made of it.
        end.signal.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

/** Beside main.js, in the same build. */
const WORKER_FILE = 'holder-worker.js';

/** From its sources, as in tests, the server has no file that a thread could run. */
const defaultRunner = (): HolderRunner =>
  import.meta.url.endsWith('.ts') ? readHere : readInThread(new URL(WORKER_FILE, import.meta.url));

/** Reads in this thread, which other work has to wait for. */
export const readHere: HolderRunner = async (request, signal) => {
  const { readHolders } = await import('./solana-holders.ts');
  return readHolders(request, signal);
};

/** A thread that needs more is ended, and the server stays. */
const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 16 };

/**
 * Reads in a thread that lives for one reading: an idle one would hold its memory for the minute between two.
 * @param file holder-worker.js of a build
 */
export function readInThread(file: URL, limits: ResourceLimits = LIMITS): HolderRunner {
  return (request, signal) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(file, { workerData: request, resourceLimits: limits });
      const end = (settle: () => void) => {
        signal.removeEventListener('abort', abort);
        void worker.terminate();
        settle();
      };
      const abort = () => end(() => reject(signal.reason));
      signal.addEventListener('abort', abort, { once: true });
      worker.once('message', (message: WorkerMessage) =>
        end(() =>
          'problem' in message
            ? reject(new HolderReadError(message.problem, message.retryAfter))
            : resolve(message),
        ),
      );
      // What a thread dies of is an answer that it cannot hold, or cannot understand.
      const fail = () => end(() => reject(new HolderReadError('garbage')));
      worker.on('error', fail);
      worker.once('exit', fail);
    });
}
