// How fast a client has to send and to read: who is slower only holds what others wait for.

/** @param grace milliseconds before anything is asked of it */
export interface Pace {
  grace: number;
  bytesPerSecond: number;
}

/** Whether a client has moved fewer bytes in so many milliseconds than it has to. */
export function fallsBehind(
  { bytes, elapsed }: { bytes: number; elapsed: number },
  { grace, bytesPerSecond }: Pace,
): boolean {
  return elapsed > grace && bytes < (bytesPerSecond * elapsed) / 1000;
}
