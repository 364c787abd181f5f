// A clock that stands still until a test moves it.

export interface TestClock {
  now(): number;
  set(time: number | string): void;
  /** Milliseconds. */
  advance(by: number): void;
}

export function testClock(start = '2030-06-01T12:00:00.000Z'): TestClock {
  let time = Date.parse(start);
  return {
    now: () => time,
    set: (to) => {
      time = typeof to === 'string' ? Date.parse(to) : to;
    },
    advance: (by) => {
      time += by;
    },
  };
}
