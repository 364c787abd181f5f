// Work that hangs does not hold whoever waits for it: after ten seconds its form may be left.
import { useEffect, useRef, useState } from 'react';
import { SECOND } from '../../shared/time.ts';

/** How long a server may take before the form says that it can be left, in milliseconds. */
const SLOW = 10 * SECOND;

/** @param mayLeave whether nothing is lost by that, asked after the ten seconds */
export function useSlow(mayLeave: () => Promise<boolean>) {
  const [isSlow, setSlow] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  return {
    /** Whether something takes so long that the form may be left. */
    isSlow,
    /** Whether the form was left. */
    isLeft: () => isLeft.current,

    /** @throws what `work` throws */
    async watch<R>(work: () => Promise<R>): Promise<R> {
      let isDone = false;
      const slow = setTimeout(async () => {
        const may = await mayLeave();
        if (!isDone) setSlow(may);
      }, SLOW);
      try {
        return await work();
      } finally {
        isDone = true;
        clearTimeout(slow);
        setSlow(false);
      }
    },
  };
}
