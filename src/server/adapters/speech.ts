// What turns speech into text: a program of this server, a service that was configured, or nothing. A recording is hostile:
// it is decoded by one demuxer, for a limited time, and nothing of it or of its text is logged or kept.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SECOND } from '../../shared/time.ts';
import type { Config } from '../config.ts';
import { PROCESSOR_SECONDS } from './limited-program.ts';
import { decode, type Recording, SAMPLE_BYTES_PER_SECOND } from './speech-decoding.ts';
import { type Listener, openAiListener, pocketsphinxListener } from './speech-listeners.ts';
import { takingTurns } from './turns.ts';

/**
 * - `unreadable`: it cannot be decoded.
 * - `too-long`: it lasts longer than `maxSeconds`.
 * - `busy`: others were heard for as long as somebody waits.
 * - `failed`: the program or the service failed, or took too long.
 */
export type Unheard = 'unreadable' | 'too-long' | 'busy' | 'failed';

export interface Speech {
  engine: 'embedded' | 'remote';
  /** Who hears a recording, in words. */
  hearer: string;
  /** Whether what comes out is only a rough transcript, in English. */
  rough: boolean;
  maxSeconds: number;
  /**
   * Few are heard at a time, and the others wait. It never throws and never takes longer than `ANSWERS_WITHIN`.
   * @param signal ends the work when whoever asked has gone; what is answered then is of no interest
   */
  hear(recording: Recording, signal: AbortSignal): Promise<{ text: string } | Unheard>;
}

/** How much is done for one recording. Times are milliseconds. */
export interface SpeechLimits {
  /** Recordings that are decoded and heard at a time, by this process. */
  atOnce: number;
  /** Begins the time for which somebody waits for a turn. Tests end both of these themselves. */
  patience: () => AbortSignal;
  /** Begins the time for decoding and hearing, which is counted from the turn on: waiting takes nothing of it. */
  deadline: () => AbortSignal;
}

const WAITS_FOR = 45 * SECOND;
const WORKS_FOR = PROCESSOR_SECONDS * SECOND;
/** How long an answer can take, in milliseconds: less than the five minutes for which browsers wait. */
export const ANSWERS_WITHIN = WAITS_FOR + WORKS_FOR + 5 * SECOND;

export const speechLimits: SpeechLimits = {
  atOnce: 2,
  patience: () => AbortSignal.timeout(WAITS_FOR),
  deadline: () => AbortSignal.timeout(WORKS_FOR),
};

/** A processor of the slowest kind needs as long as the recording lasts, and twice as long when it hears two. */
const EMBEDDED_SECONDS = 120;
const REMOTE_SECONDS = 300;

/** The path of a program, or null where none of the folders has it. */
export function findProgram(searchPath: string, name: string): string | null {
  const isProgram = (file: string) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const folders = searchPath.split(delimiter).filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

/** @returns null where nobody hears recordings: nothing is configured, or the programs are not there */
export function createSpeech(
  { stt, searchPath }: Pick<Config, 'stt' | 'searchPath'>,
  limits: SpeechLimits = speechLimits,
): Speech | null {
  const ffmpeg = findProgram(searchPath, 'ffmpeg');
  if (!ffmpeg) return null;
  if (stt) {
    return speechBy(openAiListener(stt), ffmpeg, limits, {
      engine: 'remote',
      hearer: stt.url.host,
      rough: false,
      maxSeconds: REMOTE_SECONDS,
    });
  }
  // The command of version 5, and the one before it.
  const version5 = findProgram(searchPath, 'pocketsphinx');
  const before = findProgram(searchPath, 'pocketsphinx_continuous');
  const program = version5 ?? before;
  if (!program) return null;
  return speechBy(pocketsphinxListener(program, program === version5), ffmpeg, limits, {
    engine: 'embedded',
    hearer: 'this server, by pocketsphinx',
    rough: true,
    maxSeconds: EMBEDDED_SECONDS,
  });
}

function speechBy(
  listen: Listener,
  ffmpeg: string,
  { atOnce, patience, deadline }: SpeechLimits,
  about: Omit<Speech, 'hear'>,
): Speech {
  const takeTurn = takingTurns(atOnce);
  return {
    ...about,
    async hear(recording, leaving) {
      const giveBack = await takeTurn(AbortSignal.any([leaving, patience()]));
      if (!giveBack) return 'busy';
      const signal = AbortSignal.any([leaving, deadline()]);
      try {
        const sound = await decode(ffmpeg, recording, about.maxSeconds + 1, signal);
        if (!sound || sound.length === 0) return signal.aborted ? 'failed' : 'unreadable';
        if (sound.length > about.maxSeconds * SAMPLE_BYTES_PER_SECOND) return 'too-long';
        const text = await listen(sound, signal);
        return text === null ? 'failed' : { text };
      } catch {
        // Whatever it was would tell of the recording, or of the service's secret.
        return 'failed';
      } finally {
        giveBack();
      }
    },
  };
}
