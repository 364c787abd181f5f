// Work that is done one piece after the other: each entry of a book follows the one before it.
import { ANSWERED_WITHIN, type Timers } from '../api/in-background.ts';

export interface Serializer {
  /** Works once everything before it is done. @throws what `work` throws */
  serialize<T>(work: () => Promise<T>): Promise<T>;
  /**
   * As `serialize`, for what waits for somebody's own call, which has no deadline: after a while the turn ends without it.
   * @param work is told by `isLate` that it has
   */
  serializeForAWhile<T>(work: (isLate: () => boolean) => Promise<T>): Promise<T>;
}

/** @param onLate called where a turn ends before its work */
export function createSerializer(timers: Timers, onLate: () => void): Serializer {
  let turn: Promise<unknown> = Promise.resolve();

  function serialize<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(() => work());
    turn = result.catch(() => {});
    return result;
  }

  function serializeForAWhile<T>(work: (isLate: () => boolean) => Promise<T>): Promise<T> {
    let late = false;
    let timer: ReturnType<Timers['setTimeout']> | undefined;
    const released = turn.then(
      () =>
        new Promise<void>((resolve) => {
          timer = timers.setTimeout(() => {
            late = true;
            onLate();
            resolve();
          }, ANSWERED_WITHIN);
        }),
    );
    const result = turn.then(() => work(() => late)).finally(() => timers.clearTimeout(timer));
    const settled = result.then(
      () => {},
      () => {},
    );
    turn = Promise.race([settled, released]);
    return result;
  }

  return { serialize, serializeForAWhile };
}
