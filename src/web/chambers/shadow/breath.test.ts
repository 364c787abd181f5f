import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  averageLevel,
  BREATH_MAX,
  BREATH_PAUSE_MAX,
  type Breath,
  type BreathEvent,
  beginBreath,
  breathe,
  CALIBRATION_SECONDS,
  FRAMES_MIN,
  FRAMES_PER_SECOND,
  rateOf,
  SESSION_MIN,
} from './breath.ts';

/** One second of levels, as it was recorded, repeated for as long as wanted. */
type Recording = (second: number) => readonly number[];

const steady = (level: number): readonly number[] => Array.from({ length: FRAMES_PER_SECOND }, () => level);
const between = (low: number, high: number, seed: number): readonly number[] =>
  Array.from(
    { length: FRAMES_PER_SECOND },
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

/** Nothing comes from the microphone. */
const NOTHING: readonly number[] = [];
/** A door that falls shut. */
const KNOCK = [2, 1, 90, 44, 20, 8, 3, 1, 1, 2, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1];

/** The first recording, and from a second on the other one. */
const until =
  (second: number, first: Recording, then: Recording): Recording =>
  (at) =>
    at < second ? first(at) : then(at);

/** The first recording, and something else from one second until before another. */
const whileIn = (from: number, to: number, recording: Recording, meanwhile: Recording): Recording =>
  until(from, recording, until(to, meanwhile, recording));

/** What a session of this recording comes to, calibration included. */
function listen(recording: Recording, seconds: number): Breath {
  let breath = beginBreath('microphone');
  for (let second = 0; second < seconds; second += 1) {
    for (const level of recording(second)) breath = breathe(breath, { type: 'heard', level });
    breath = breathe(breath, { type: 'tick' });
  }
  return breath;
}

const silence: Recording = () => SILENCE;
const nothing: Recording = () => NOTHING;
const speech: Recording = () => SPEECH;
const fan =
  (level: number): Recording =>
  () =>
    steady(level);
/** More than anybody needs who breathes: calibration, the first breath, pauses. */
const LONG = 2 * SESSION_MIN;

describe('what opens the shadow', () => {
  test.each<[string, Recording]>([
    ['slow breath, six a minute', every(10)],
    ['slow breath, twelve a minute', every(5)],
    ['very slow breath, less than three a minute', every(25)],
    ['slow breath in a noisy room', over(every(10), 60)],
    ['slow breath in a room that never stands still', (at) => over(every(10), at % 2 === 0 ? 60 : 64)(at)],
    ['slow breath, when the room has become loud meanwhile', until(60, every(10), over(every(10), 80))],
    ['slow breath, when a fan has stopped meanwhile', until(60, over(every(10), 80), every(10))],
    ['slow breath by a microphone that wakes late', until(40, nothing, every(10))],
    ['slow breath by one that sleeps in the middle', whileIn(90, 120, every(10), nothing)],
    ['slow breath after a pause', whileIn(60, 150, every(10), silence)],
    ['slow breath with a door that falls shut', (at) => (at === 63 ? KNOCK : every(10)(at))],
    ['somebody who began too fast and has slowed down', until(30, every(2), every(15))],
  ])('%s', (_, recording) => {
    expect(listen(recording, LONG).phase).toBe('unlocked');
  });

  test.each<[string, Recording]>([
    ['fast breath, fifteen a minute', every(4)],
    ['fast breath, thirty a minute', every(2)],
    ['fast breath in a noisy room', over(every(3), 60)],
    ['silence', silence],
    ['no sound at all', fan(0)],
    ['no microphone', nothing],
    ['a fan', fan(80)],
    ['a fan from second 10 on', until(10, silence, fan(80))],
    ['a fan in the middle', whileIn(60, 70, silence, fan(80))],
    ['a fan now and then, for longer than a breath', (at) => (at % 40 < 18 ? SILENCE : steady(80))],
    ['a noisy room that never stands still', (at) => between(50, 74, at)],
    ['such a room from second 10 on', until(10, silence, (at) => between(50, 74, at))],
    ['noise between quiet and loud from second 10 on', until(10, silence, (at) => between(0, 60, at))],
    ['one breath, and then a fan', until(12, every(10), fan(80))],
    ['one breath, and then silence', until(15, every(10), silence)],
    ['five breaths, and then silence', until(55, every(10), silence)],
    ['one breath, and then a microphone that sleeps', until(12, every(10), nothing)],
    ['doors that fall shut', (at) => (at % 10 === 5 ? KNOCK : SILENCE)],
    ['speech without a pause', speech],
    ['speech with pauses', (at) => (at % 3 === 0 ? SILENCE : SPEECH)],
    ['speech from second 10 on', until(10, silence, speech)],
    ['speech between slow breaths', (at) => (at % 10 === 5 ? BREATH : at % 2 === 0 ? SPEECH : SILENCE)],
    ['fast breath, and then silence', until(60, every(2), silence)],
  ])('not %s', (_, recording) => {
    expect(listen(recording, 5 * LONG).phase).not.toBe('unlocked');
  });

  test.each<[string, number, number]>([
    ['six', 10, 6],
    ['twelve', 5, 12],
    ['fifteen', 4, 15],
    ['thirty', 2, 30],
  ])('a rate is that of the breaths after the first: %s a minute', (_, seconds, rate) => {
    expect(Math.abs(rateOf(listen(every(seconds), 150)) - rate)).toBeLessThanOrEqual(
      Math.max(0.5, rate * 0.05),
    );
  });

  test('not a second before its time, which begins with the first breath', () => {
    // Silence until the breath of second 10.
    expect(listen(every(10), 10 + SESSION_MIN - 1)).toMatchObject({ phase: 'listening', seconds: 179 });
    expect(listen(every(10), 10 + SESSION_MIN)).toMatchObject({ phase: 'unlocked', seconds: 180 });
  });

  test('what has opened stays as it was then', () => {
    const open = listen(every(10), LONG);
    expect(breathe(open, { type: 'heard', level: 200 })).toBe(open);
    expect(breathe(open, { type: 'tick' })).toBe(open);
  });
});

describe('a second of the session', () => {
  const secondsOf = (recording: Recording, seconds: number) => listen(recording, seconds).seconds;

  test('is none while nothing comes from the microphone, and the floor is taken anew after that', () => {
    const asleep = listen(until(60, every(10), nothing), 100);
    expect(asleep).toMatchObject({ seconds: 50, phase: 'calibrating', isHeard: false, isBreathing: false });
    const awake = listen(until(60, every(10), until(100, nothing, fan(40))), 102);
    expect(awake).toMatchObject({ seconds: 50, phase: 'listening', isHeard: true, floor: 40 });
  });

  test('is none when too few frames of it were taken', () => {
    const few: Recording = (at) => every(10)(at).slice(0, FRAMES_MIN - 1);
    const enough: Recording = (at) => every(10)(at).slice(0, FRAMES_MIN);
    expect(secondsOf(until(60, every(10), few), 100)).toBe(50);
    expect(secondsOf(until(61, every(10), enough), 75)).toBe(65);
  });

  test('is none in a silence that lasts, and one again from the next breath on', () => {
    const paused = until(55, every(10), silence);
    // The last breath was in second 50.
    expect(secondsOf(paused, 51 + BREATH_PAUSE_MAX)).toBe(70);
    expect(secondsOf(paused, LONG)).toBe(70);
    expect(secondsOf(whileIn(55, 155, every(10), silence), 165)).toBe(70 + 5);
  });

  test('is none in a sound that lasts for longer than a breath', () => {
    const noisy = until(52, every(10), fan(80));
    expect(secondsOf(noisy, LONG)).toBe(42 + BREATH_MAX);
  });

  test('is calibrated for only while something is heard', () => {
    const late = until(31, nothing, silence);
    expect(listen(late, 32).phase).toBe('calibrating');
    expect(listen(late, 33).phase).toBe('listening');
  });
});

describe('an onset', () => {
  const heard = (levels: readonly number[]) =>
    levels.reduce<Breath>((breath, level) => breathe(breath, { type: 'heard', level }), {
      ...beginBreath('microphone'),
      phase: 'listening',
      calibrationLeft: 0,
      isBreathing: true,
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
  expect(listen(breathAtFirst, CALIBRATION_SECONDS).floor).toBeLessThan(4);
  expect(listen(breathAtFirst, LONG).phase).toBe('unlocked');
});

describe('a key', () => {
  const press: BreathEvent = { type: 'key', isDown: true };
  const release: BreathEvent = { type: 'key', isDown: false };
  const tick: BreathEvent = { type: 'tick' };
  /** What is done in each second of a session. */
  const keep = (seconds: number, at: (second: number) => BreathEvent[]) =>
    Array.from({ length: seconds }, (_, second) => [...at(second), tick])
      .flat()
      .reduce(breathe, beginBreath('key'));

  test('keeps the same rule, and may be pressed for as short as somebody likes', () => {
    const slow = (second: number) => (second % 10 === 0 ? [press, press, release] : []);
    expect(keep(SESSION_MIN - 1, slow).phase).toBe('listening');
    expect(keep(SESSION_MIN, slow)).toMatchObject({ phase: 'unlocked', breaths: 17 });
    expect(keep(LONG, (second) => (second % 4 === 0 ? [press, release] : [])).phase).toBe('listening');
  });

  test('that is held down, or pressed once, opens nothing', () => {
    expect(keep(LONG, (second) => (second === 3 ? [press] : [])).phase).toBe('listening');
    expect(keep(LONG, (second) => (second === 3 ? [press, release] : []))).toMatchObject({
      phase: 'listening',
      seconds: BREATH_PAUSE_MAX,
    });
  });

  test('is heard at once after a pause', () => {
    const paused = keep(100, (second) => (second === 3 || second === 99 ? [press, release] : []));
    expect(paused).toMatchObject({ isBreathing: true, seconds: BREATH_PAUSE_MAX + 1 });
  });
});

test('no order of events counts more breaths than it had quiet moments, or opens early', () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant('heard' as const), level: fc.integer({ min: 0, max: 255 }) }),
    fc.record({ type: fc.constant('key' as const), isDown: fc.boolean() }),
    fc.record({ type: fc.constant('tick' as const) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 400 }), fc.constantFrom('key', 'microphone'), (events, by) => {
      const end = events.reduce<Breath>(breathe, beginBreath(by));
      const ticks = events.filter(({ type }) => type === 'tick').length;
      expect(end.breaths).toBeLessThanOrEqual(events.length - ticks);
      expect(end.seconds).toBeLessThanOrEqual(ticks);
      if (ticks < SESSION_MIN) expect(end.phase).not.toBe('unlocked');
    }),
  );
});

test('an average level is that of all the frequencies', () => {
  expect(averageLevel(new Uint8Array([0, 10, 20, 30]))).toBe(15);
  expect(averageLevel(new Uint8Array())).toBe(0);
});
