import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  averageLevel,
  type Breath,
  type BreathEvent,
  beginBreath,
  breathe,
  rateOf,
  SESSION_MIN,
} from './breath.ts';

/** How often a second the level is taken. */
const PER_SECOND = 20;

/** One second of levels, as it was recorded, repeated for as long as wanted. */
type Recording = (second: number) => readonly number[];

const steady = (level: number): readonly number[] => Array.from({ length: PER_SECOND }, () => level);
const between = (low: number, high: number, seed: number): readonly number[] =>
  Array.from(
    { length: PER_SECOND },
    (_, i) => low + ((seed * 7919 + i * 104_729) % 1000) * ((high - low) / 1000),
  );

/** One second of an inhalation: it swells, stands, and goes. */
const BREATH = [2, 6, 12, 19, 27, 34, 41, 46, 48, 47, 49, 45, 46, 42, 36, 29, 22, 15, 9, 4];
/** One second of talking: four syllables with gaps. */
const SPEECH = [4, 38, 61, 44, 9, 5, 52, 66, 31, 8, 6, 47, 58, 33, 7, 3, 41, 70, 38, 10];
const SILENCE = [1, 2, 1, 1, 3, 2, 1, 2, 1, 1, 2, 3, 1, 1, 2, 1, 1, 2, 1, 1];

/** A breath every so many seconds, after two seconds of silence. */
const every =
  (seconds: number): Recording =>
  (second) =>
    second >= 2 && second % seconds === 0 ? BREATH : SILENCE;

const over =
  (recording: Recording, floor: number): Recording =>
  (second) =>
    recording(second).map((level) => level + floor);

/** What a session of this recording comes to, calibration included. */
function listen(recording: Recording, seconds: number): Breath {
  let breath = beginBreath('microphone');
  for (let second = 0; second < seconds; second += 1) {
    for (const level of recording(second)) breath = breathe(breath, { type: 'heard', level });
    breath = breathe(breath, { type: 'tick' });
  }
  return breath;
}

const CALIBRATION = 2;
const WHOLE = SESSION_MIN + CALIBRATION;

describe('what opens the shadow', () => {
  test.each<[string, Recording, number, boolean]>([
    ['slow breath, six a minute', every(10), 6, true],
    ['slow breath, twelve a minute', every(5), 12, true],
    ['fast breath, fifteen a minute', every(4), 15, false],
    ['fast breath, thirty a minute', every(2), 30, false],
    ['silence', () => SILENCE, 0, false],
    ['no sound at all', () => steady(0), 0, false],
    ['a fan', () => steady(80), 0, false],
    ['a noisy room that never stands still', (second) => between(50, 74, second), 0, false],
    ['slow breath in a noisy room', over(every(10), 60), 6, true],
    ['fast breath in a noisy room', over(every(3), 60), 20, false],
    ['speech without a pause', () => SPEECH, 240, false],
    ['speech with pauses', (second) => (second % 3 === 0 ? SILENCE : SPEECH), 160, false],
  ])('%s', (_, recording, rate, unlocks) => {
    const breath = listen(recording, WHOLE);
    expect(breath.seconds).toBe(SESSION_MIN);
    expect(Math.abs(rateOf(breath) - rate)).toBeLessThanOrEqual(Math.max(0.4, rate * 0.03));
    expect(breath.phase).toBe(unlocks ? 'unlocked' : 'listening');
  });

  test('not a second before its time', () => {
    expect(listen(every(10), WHOLE - 1).phase).toBe('listening');
    expect(listen(every(10), WHOLE).phase).toBe('unlocked');
  });

  test('somebody who began too fast may slow down', () => {
    const calming: Recording = (second) => (second < 60 ? every(2)(second) : SILENCE);
    const early = listen(calming, 100);
    expect(rateOf(early)).toBeGreaterThan(12);
    const late = listen(calming, 240);
    expect(late.phase).toBe('unlocked');
    expect(rateOf(late)).toBeLessThanOrEqual(12);
  });

  test('what has opened stays as it was then', () => {
    const open = listen(every(10), WHOLE);
    expect(listen(every(1), WHOLE).phase).toBe('listening');
    expect(breathe(open, { type: 'heard', level: 200 })).toBe(open);
    expect(breathe(open, { type: 'tick' })).toBe(open);
  });
});

describe('an onset', () => {
  const heard = (levels: readonly number[]) =>
    levels.reduce<Breath>((breath, level) => breathe(breath, { type: 'heard', level }), {
      ...beginBreath('microphone'),
      phase: 'listening',
      calibrationLeft: 0,
    }).breaths;

  test.each<[string, number[], number]>([
    ['rises above 30 after it fell below 15', [14, 31], 1],
    ['is not there at 30', [14, 30], 0],
    ['is not there after 15', [31, 15, 31], 0],
    ['counts once while it stays loud', [0, 31, 90, 120, 31], 1],
    ['counts once while it trembles about the limit', [0, 31, 29, 32, 16, 40], 1],
    ['counts again after quiet', [0, 31, 14, 31], 2],
    ['does not count for who was loud from the beginning', [80, 90], 0],
  ])('%s', (_, levels, breaths) => {
    expect(heard(levels)).toBe(breaths);
  });
});

test('the floor is the quiet part of two seconds, so that one breath in them does not hide the next', () => {
  const breathAtFirst: Recording = (second) => (second % 10 === 0 ? BREATH : SILENCE);
  expect(listen(breathAtFirst, CALIBRATION).floor).toBeLessThan(4);
  expect(listen(breathAtFirst, WHOLE).phase).toBe('unlocked');
});

test('a key keeps the same rule: held down it is one breath', () => {
  const press: BreathEvent = { type: 'key', isDown: true };
  const release: BreathEvent = { type: 'key', isDown: false };
  let breath = [press, press, press, release, press].reduce(breathe, beginBreath('key'));
  expect(breath.breaths).toBe(2);
  for (let second = 1; second < SESSION_MIN; second += 1) {
    breath = breathe(breath, second % 10 === 0 ? press : release);
    breath = breathe(breath, { type: 'tick' });
  }
  expect(breath.phase).toBe('listening');
  expect(breathe(breath, { type: 'tick' }).phase).toBe('unlocked');
});

test('no order of events counts more breaths than it had quiet moments, or opens early', () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant('heard' as const), level: fc.integer({ min: 0, max: 255 }) }),
    fc.record({ type: fc.constant('key' as const), isDown: fc.boolean() }),
    fc.record({ type: fc.constant('tick' as const) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 400 }), (events) => {
      const end = events.reduce<Breath>(breathe, beginBreath('microphone'));
      const ticks = events.filter(({ type }) => type === 'tick').length;
      expect(end.breaths).toBeLessThanOrEqual(events.length - ticks);
      if (ticks < WHOLE) expect(end.phase).not.toBe('unlocked');
    }),
  );
});

test('an average level is that of all the frequencies', () => {
  expect(averageLevel(new Uint8Array([0, 10, 20, 30]))).toBe(15);
  expect(averageLevel(new Uint8Array())).toBe(0);
});
