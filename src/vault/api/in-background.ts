// A page's line to its server for what nobody has pressed: it never asks for a proof, and an answer that does not come in time
// counts as none.
import { SECOND } from '../../shared/time.ts';
import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';

/** What waits. */
export type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>;

/** What a call throws that was not answered in time. It may have arrived. */
const noAnswer = (): ApiError =>
  new ApiError(
    504,
    JSON.stringify({ code: 'no-answer', message: 'The server did not answer in time. Please try again.' }),
  );

/** For how long a call may be without its whole answer, in milliseconds. */
export const ANSWERED_WITHIN = 20 * SECOND;

/**
 * The same calls as nobody's wish.
 * @returns `send` and `sendForPage` throw `no-answer` as well; the other calls are as they were
 */
export function inBackground(api: ApiClient, timers: Timers = globalThis): ApiClient {
  async function inTime<T>(
    work: (asked: { signal: AbortSignal; isUnasked: true }) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    let timer: ReturnType<Timers['setTimeout']> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = timers.setTimeout(() => {
        reject(noAnswer());
        controller.abort();
      }, ANSWERED_WITHIN);
    });
    try {
      return await Promise.race([work({ signal: controller.signal, isUnasked: true }), late]);
    } finally {
      timers.clearTimeout(timer);
    }
  }
  return {
    ...api,
    send: (row, args) => inTime((asked) => api.send(row, { ...args, ...asked })),
    sendForPage: (row, args) => inTime((asked) => api.sendForPage(row, { ...args, ...asked })),
  };
}
