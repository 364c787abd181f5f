// The house clock. Locks obey it, so a wall clock that jumps forward while the server runs must not open them.

/** Epoch milliseconds. */
export type Clock = () => number;

const LEAD_ALLOWED = 60 * 60 * 1000;

/**
 * A clock that follows the wall but may not outrun the monotonic clock by more than an hour since it was made.
 * It may fall behind freely: a late lock harms nobody.
 * @param wall epoch milliseconds
 * @param monotonic milliseconds that only ever advance
 */
export function houseClock(wall: Clock = Date.now, monotonic: Clock = () => performance.now()): Clock {
  const wallAtStart = wall();
  const monotonicAtStart = monotonic();
  return () => Math.min(wall(), wallAtStart + (monotonic() - monotonicAtStart) + LEAD_ALLOWED);
}
