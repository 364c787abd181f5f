// The page's side of the Loom. The composer with its dictionary is fetched when the first story is woven; no word leaves
// this browser.
import type { WeaveRequest, Weaving } from '../../../loom/loom.ts';
import { inWorker } from '../../workers.ts';
import workerUrl from './loom-worker.ts?worker&url';

/**
 * Has a story woven.
 * @throws Error when the Loom cannot be loaded or fails, or was ended by `signal`
 */
export const weaveHere = (request: WeaveRequest, signal: AbortSignal): Promise<Weaving> =>
  inWorker<WeaveRequest, Weaving>(workerUrl, request, { signal });
