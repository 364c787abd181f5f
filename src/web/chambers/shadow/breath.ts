// What counts as a breath, and when the shadow opens. Pure: levels, seconds and keys come in, a rate comes out. It knows
// no microphone and no clock.
//
// An onset: the level rises above LOUD after it was below QUIET, both above the floor of the room. Onsets make the rate.
// A breath: an onset that is quiet again after BREATH_MIN_FRAMES frames or more and BREATH_MAX seconds or less. With a key,
// whose press is meant, the least is no matter. A knock or a syllable is an onset and no breath; a fan that starts is
// neither in the long run, because it is never quiet again.
// A second of the session: one in which the input was heard, BREATH_PAUSE_MAX seconds or less after a breath, and no sound
// lasted for longer than a breath does. Silence, a microphone that sleeps and one that is muted therefore add nothing: a
// session has one breath in each half minute, and three minutes have six or more. The breath that begins a session, or goes
// on with it after a pause, is not counted: a rate is that of the breaths between.

/** A level above the floor from which on it is loud; the levels are averages of `getByteFrequencyData`, 0 to 255. */
export const LOUD = 30;
/** Below this it is quiet again, and the next breath may begin. */
export const QUIET = 15;
/** How long the floor is listened for before anything counts, in seconds. */
export const CALIBRATION_SECONDS = 2;
/** The fastest breath that opens the shadow, in breaths a minute. */
export const RATE_MAX = 12;
/** The shortest session that opens it, in seconds. */
export const SESSION_MIN = 180;
/** How often a second the level is taken. */
export const FRAMES_PER_SECOND = 20;
/** With fewer than these a second was not heard. Browsers take fewer in a window that nobody sees. */
export const FRAMES_MIN = FRAMES_PER_SECOND / 2;
/** How many frames a breath lasts at least, from its onset until it is quiet. */
export const BREATH_MIN_FRAMES = 6;
/** How long a breath lasts at most, in seconds. What lasts longer is the room, and its floor is taken anew. */
export const BREATH_MAX = 15;
/** The longest time from one breath to the end of the next, in seconds. */
export const BREATH_PAUSE_MAX = 30;
/** Samples of one transform of the analyser; it answers half as many levels. */
export const ANALYSER_SIZE = 256;

export interface Breath {
  by: 'microphone' | 'key';
  phase: 'calibrating' | 'listening' | 'unlocked';
  /** Seconds that calibration still takes. */
  calibrationLeft: number;
  /** What was heard while it was calibrated. */
  floorLevels: readonly number[];
  /** The level of the room, which is subtracted from what is heard. */
  floor: number;
  /** The level above the floor that was heard last. */
  level: number;
  /** Whether anything came from the microphone in the last second. */
  isHeard: boolean;
  /** Frames since the last second passed. */
  frames: number;
  /** It was quiet since the last breath began. */
  isArmed: boolean;
  /** Frames since the onset; 0 while none lasts. */
  breathFrames: number;
  /** Seconds since it was quiet. */
  loudSeconds: number;
  /** Somebody breathes: the session goes on. */
  isBreathing: boolean;
  /** Seconds since a breath ended, or since listening began. */
  stillSeconds: number;
  /** Onsets while somebody breathed. */
  breaths: number;
  /** Of the session. */
  seconds: number;
}

export type BreathEvent =
  /** The average level that a microphone hears. Where it sleeps, is muted or gone, nothing is heard, not even silence. */
  | { type: 'heard'; level: number }
  /** A key that keeps the rhythm went down or up. */
  | { type: 'key'; isDown: boolean }
  /** A second has passed. */
  | { type: 'tick' };

/**
 * @param by what is listened to: a microphone in a room with a floor of its own, or a key, which has none
 */
export function beginBreath(by: 'microphone' | 'key'): Breath {
  const calibrates = by === 'microphone';
  return {
    by,
    phase: calibrates ? 'calibrating' : 'listening',
    calibrationLeft: calibrates ? CALIBRATION_SECONDS : 0,
    floorLevels: [],
    floor: 0,
    level: 0,
    isHeard: true,
    frames: 0,
    // A session may begin in the middle of a breath, which is not counted; a key that is down is let go first.
    isArmed: !calibrates,
    breathFrames: 0,
    loudSeconds: 0,
    isBreathing: false,
    stillSeconds: 0,
    breaths: 0,
    seconds: 0,
  };
}

/** Breaths a minute of the session; 0 before its first second. */
export const rateOf = ({ breaths, seconds }: Pick<Breath, 'breaths' | 'seconds'>): number =>
  seconds === 0 ? 0 : (breaths * 60) / seconds;

export function breathe(breath: Breath, event: BreathEvent): Breath {
  if (breath.phase === 'unlocked') return breath;
  switch (event.type) {
    case 'heard': {
      if (breath.by !== 'microphone') return breath;
      const heard = { ...breath, frames: breath.frames + 1 };
      return breath.phase === 'calibrating'
        ? { ...heard, floorLevels: [...breath.floorLevels, event.level] }
        : hear(heard, Math.max(0, event.level - breath.floor));
    }
    case 'key':
      return breath.by === 'key' ? hear(breath, event.isDown ? 255 : 0) : breath;
    case 'tick':
      return { ...tick(breath), frames: 0 };
  }
}

function hear(breath: Breath, level: number): Breath {
  if (breath.isArmed && level > LOUD) {
    const breaths = breath.breaths + (breath.isBreathing ? 1 : 0);
    return { ...breath, level, isArmed: false, breathFrames: 1, breaths };
  }
  if (level >= QUIET) {
    return { ...breath, level, breathFrames: breath.breathFrames && breath.breathFrames + 1 };
  }
  const quiet = { ...breath, level, isArmed: true, breathFrames: 0, loudSeconds: 0 };
  const least = breath.by === 'key' ? 1 : BREATH_MIN_FRAMES;
  return breath.breathFrames < least ? quiet : { ...quiet, isBreathing: true, stillSeconds: 0 };
}

function tick(breath: Breath): Breath {
  if (breath.by === 'microphone') {
    if (breath.frames === 0) return { ...listenAnew(breath), isHeard: false };
    if (breath.frames < FRAMES_MIN) return missSecond({ ...breath, isHeard: true });
  }
  return breath.phase === 'calibrating' ? calibrate({ ...breath, isHeard: true }) : live(breath);
}

function calibrate(breath: Breath): Breath {
  const calibrationLeft = breath.calibrationLeft - 1;
  if (calibrationLeft > 0) return { ...breath, calibrationLeft };
  return {
    ...breath,
    phase: 'listening',
    calibrationLeft: 0,
    floor: lowerQuartile(breath.floorLevels),
    floorLevels: [],
  };
}

/** A second that was listened to. */
function live(breath: Breath): Breath {
  const loudSeconds = breath.level < QUIET ? 0 : breath.loudSeconds + 1;
  const stillSeconds = breath.stillSeconds + 1;
  const next = { ...breath, loudSeconds, stillSeconds };
  if (loudSeconds > BREATH_MAX || stillSeconds > BREATH_PAUSE_MAX) return listenAnew(next);
  if (!next.isBreathing) return next;
  next.seconds += 1;
  const rate = rateOf(next);
  return rate > 0 && rate <= RATE_MAX && next.seconds >= SESSION_MIN ? { ...next, phase: 'unlocked' } : next;
}

/** What was heard before and after a second that was not is no one breath. */
const missSecond = (breath: Breath): Breath =>
  breath.phase === 'calibrating' ? listenAnew(breath) : { ...breath, isArmed: false, breathFrames: 0 };

/** The session waits for a breath, and where the room may be another than it was, its floor is taken first. */
function listenAnew(breath: Breath): Breath {
  const { by, floor, level, breaths, seconds } = breath;
  // A key that is held for too long is let go first.
  const isArmed = by === 'key' && level < QUIET;
  return { ...beginBreath(by), isArmed, floor, breaths, seconds };
}

/** Of the quiet part of what was heard: one breath during calibration does not raise the floor. */
function lowerQuartile(levels: readonly number[]): number {
  return [...levels].sort((a, b) => a - b)[Math.floor(levels.length / 4)] ?? 0;
}

/** The average of an analyser's levels. */
export function averageLevel(levels: Uint8Array): number {
  let sum = 0;
  for (const level of levels) sum += level;
  return levels.length === 0 ? 0 : sum / levels.length;
}
