// A program of the server's build: weaves one story in a thread of its own and hands it over. Weaving would otherwise stop
// every other request, for seconds where somebody has written a source for that.
import { parentPort, workerData } from 'node:worker_threads';
import { type WeaveRequest, weave } from '../../loom/loom.ts';

const { title, text } = weave(workerData as WeaveRequest);
parentPort?.postMessage({ title, text });
