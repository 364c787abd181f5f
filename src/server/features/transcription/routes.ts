// Speech becomes text for anyone who asks, one recording of an address at a time and so many a day, so that this is nobody's
// free computer.
// Nothing of a recording or its text is stored or logged.
import type { Context, Hono } from 'hono';
import { RECORDING_MAX, transcription } from '../../../shared/nouns/transcription.ts';
import { DAY, formatDuration, HOUR, SECOND } from '../../../shared/time.ts';
import { audioTypeOf } from '../../adapters/audio-type.ts';
import { ANSWERS_WITHIN, type Speech, type Unheard } from '../../adapters/speech.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { addressBucket, clientAddress } from '../../http/client-address.ts';
import { type Allowance, countAttempt } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import type { Caller } from '../../http/session.ts';

/** Recordings of one address, whatever becomes of them. */
export const RECORDINGS_BY_ADDRESS: Allowance = { attempts: 30, window: HOUR };

/**
 * Counts a recording for the day. Strangers and people who are signed in have halves of their own, so that neither can use
 * up the other's, and nobody alone can use up a half (docs/decisions/0085).
 * @param address what a stranger counts as
 * @throws AppError `too-many`, which says whose day it is that is used up
 */
async function countDay(deps: Deps, person: Caller | null, address: string): Promise<void> {
  const most = deps.config.transcriptionsPerDay;
  const forOne = { attempts: Math.ceil(most / 10), window: DAY };
  const forHalf = { attempts: Math.floor(most / 2), window: DAY };
  if (person) {
    const own = 'Your recordings of this day are used up.';
    await countAttempt(deps, `transcribe account ${person.uid}`, forOne, own);
    const all = 'All recordings are used up that this server transcribes in a day for its members.';
    await countAttempt(deps, 'transcribe members', forHalf, all);
    return;
  }
  const own = 'The recordings of your address for this day are used up.';
  await countAttempt(deps, `transcribe day ${address}`, forOne, own);
  const all =
    'All recordings are used up that this server transcribes in a day for visitors. Members who sign in have others.';
  await countAttempt(deps, 'transcribe visitors', forHalf, all);
}

export function transcriptionRoutes(app: Hono, deps: Deps): void {
  const { speech } = deps;

  route(app, deps, transcription.engine, async () => ({
    engine: speech?.engine ?? ('none' as const),
    hearer: speech?.hearer ?? '',
    rough: speech?.rough ?? false,
    maxBytes: speech ? RECORDING_MAX : 0,
    maxSeconds: speech?.maxSeconds ?? 0,
  }));

  async function beforeReceiving(c: Context, person: Caller | null): Promise<void> {
    if (!speech) throw new AppError('transcription-off');
    const address = addressBucket(clientAddress(deps.config, c));
    await countAttempt(deps, `transcribe ${address}`, RECORDINGS_BY_ADDRESS);
    await countDay(deps, person, address);
  }

  route(
    app,
    deps,
    transcription.transcribe,
    async ({ file, c }) => {
      if (!speech) throw new AppError('transcription-off');
      const type = audioTypeOf(file);
      if (!type) throw new AppError('not-audio');
      const heard = await speech.hear({ bytes: file, type }, c.req.raw.signal);
      if (typeof heard === 'string') throw refusal(heard, speech);
      return { text: heard.text, engine: speech.engine, ...(speech.rough ? { rough: true } : {}) };
    },
    { beforeReceiving, answersWithin: ANSWERS_WITHIN },
  );
}

/** After how many seconds somebody may try again. */
const LATER = 30;

function refusal(heard: Unheard, { maxSeconds }: Speech): AppError {
  switch (heard) {
    case 'unreadable':
      return new AppError('unreadable-audio');
    case 'too-long': {
      const most = formatDuration(maxSeconds * SECOND, 'second');
      return new AppError('recording-too-long', `This recording is too long: ${most} at most.`);
    }
    case 'busy':
      return new AppError('busy', undefined, LATER);
    case 'failed':
      return new AppError('transcription-failed');
  }
}
