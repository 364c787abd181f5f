// The second program of the server's build: reads the holders once in a thread of its own, hands the bytes over and is
// ended. Reading would otherwise stop every other request for a second.
import { parentPort, workerData } from 'node:worker_threads';
import { HolderReadError, type HolderReading, type HolderReadProblem } from './holder-reading.ts';
import { type HolderRequest, readHolders } from './solana-holders.ts';

export type WorkerMessage = HolderReading | { problem: HolderReadProblem; retryAfter: number | null };

async function work(request: HolderRequest): Promise<void> {
  try {
    // The thread is ended from outside.
    const reading = await readHolders(request, new AbortController().signal);
    parentPort?.postMessage(reading satisfies WorkerMessage, [reading.rows.buffer]);
  } catch (error) {
    if (!(error instanceof HolderReadError)) throw error;
    const { reason: problem, retryAfter } = error;
    parentPort?.postMessage({ problem, retryAfter } satisfies WorkerMessage);
  }
}

await work(workerData as HolderRequest);
