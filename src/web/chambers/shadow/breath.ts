// What counts as a breath, and when the shadow opens. Pure: levels, seconds and keys come in, a rate comes out. It knows
// no microphone and no clock.

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
/** Samples of one transform of the analyser; it answers half as many levels. */
export const ANALYSER_SIZE = 256;

export interface Breath {
  phase: 'calibrating' | 'listening' | 'unlocked';
  /** Seconds that calibration still takes. */
  calibrationLeft: number;
  /** What was heard while it was calibrated. */
  floorLevels: readonly number[];
  /** The level of the room, which is subtracted from what is heard. */
  floor: number;
  /** The level above the floor that was heard last. */
  level: number;
  /** It was quiet since the last breath began. */
  isArmed: boolean;
  breaths: number;
  /** Of the session, without calibration. */
  seconds: number;
}

export type BreathEvent =
  /** The average level that a microphone hears. */
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
    phase: calibrates ? 'calibrating' : 'listening',
    calibrationLeft: calibrates ? CALIBRATION_SECONDS : 0,
    floorLevels: [],
    floor: 0,
    level: 0,
    // A session may begin in the middle of a breath, which is not counted; a key that is down is let go first.
    isArmed: !calibrates,
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
    case 'heard':
      return breath.phase === 'calibrating'
        ? { ...breath, floorLevels: [...breath.floorLevels, event.level] }
        : hear(breath, Math.max(0, event.level - breath.floor));
    case 'key':
      return breath.phase === 'calibrating' ? breath : hear(breath, event.isDown ? 255 : 0);
    case 'tick':
      return tick(breath);
  }
}

function hear(breath: Breath, level: number): Breath {
  if (breath.isArmed && level > LOUD) {
    return { ...breath, level, isArmed: false, breaths: breath.breaths + 1 };
  }
  return { ...breath, level, isArmed: breath.isArmed || level < QUIET };
}

function tick(breath: Breath): Breath {
  if (breath.phase === 'calibrating') {
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
  const next = { ...breath, seconds: breath.seconds + 1 };
  const rate = rateOf(next);
  return rate > 0 && rate <= RATE_MAX && next.seconds >= SESSION_MIN ? { ...next, phase: 'unlocked' } : next;
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
