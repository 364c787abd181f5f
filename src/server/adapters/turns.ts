// Lets few do something at a time; the others wait in line, and leave it when they give up.

/** @returns how to give the turn back, or null for somebody who gave up before it came */
export type TakeTurn = (signal: AbortSignal) => Promise<(() => void) | null>;

export function takingTurns(atOnce: number): TakeTurn {
  let free = atOnce;
  const line: (() => void)[] = [];
  function begin(): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = line.shift();
      if (next) next();
      else free += 1;
    };
  }
  return async (signal) => {
    if (signal.aborted) return null;
    if (free > 0) {
      free -= 1;
      return begin();
    }
    return new Promise((resolve) => {
      const leave = () => {
        line.splice(line.indexOf(call), 1);
        resolve(null);
      };
      const call = () => {
        signal.removeEventListener('abort', leave);
        resolve(begin());
      };
      line.push(call);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
}
