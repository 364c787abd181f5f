// What makes stories. The author's words pass through to the language model that the page has named, or to the Loom; neither
// they nor a draft are stored or logged. A story that is kept is sealed first.
import { randomInt } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { type DraftLine, isRitualTone, type StoryRequest, stories } from '../../../shared/nouns/myth.ts';
import { type StoryType, storyLabel } from '../../../shared/nouns/story-types.ts';
import { type StoryText, splitStory } from '../../../shared/story-text.ts';
import { DAY, formatDuration, MINUTE } from '../../../shared/time.ts';
import type { Weave } from '../../adapters/loom-thread.ts';
import { type StoryWriter, storyLimits } from '../../adapters/story-writer.ts';
import type { Deps } from '../../deps.ts';
import { entitlementsOf } from '../../entitlements/entitlements.ts';
import { countStory } from '../../entitlements/story-store.ts';
import { AppError } from '../../errors.ts';
import { letIdle } from '../../http/connections.ts';
import { reserveAttempt } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { type Caller, sessionStands } from '../../http/session.ts';
import { keepStory, sealerOf, type Vaults } from './generated.ts';
import { createStoryPlaces, placeLimits } from './places.ts';
import { readAhead } from './read-ahead.ts';

/** How a story is made for somebody: few at a time, and each counts unless it fails. */
function storyMakers(deps: Deps) {
  const { config } = deps;
  const places = createStoryPlaces({ atOnce: config.llmConcurrency, ...placeLimits });

  /** Lets somebody have one story, and takes it off what they have for a day and under their plan for a month unless `make` says that it does not count. */
  async function* oneStory(
    { accountId, uid }: Caller,
    make: (count: (counts: boolean) => void) => AsyncGenerator<string, void, undefined>,
  ): AsyncGenerator<string, void, undefined> {
    const leave = places.begin(uid);
    try {
      const giveStoryBack = await countStory(deps, accountId);
      let counts = false;
      try {
        const reserved = await reserveAttempt(deps, `story ${uid}`, {
          attempts: config.storiesADay,
          window: DAY,
        });
        if ('wait' in reserved) throw usedUp(config.storiesADay, reserved.wait);
        try {
          yield* make((now) => {
            counts = now;
          });
        } finally {
          if (!counts) await reserved.giveBack();
        }
      } finally {
        if (!counts) await giveStoryBack();
      }
    } finally {
      leave();
    }
  }

  /**
   * A story by the model, piece by piece. What it was asked for counts, also where its author does not wait for the end: only
   * what failed does not, unless it became too long.
   */
  const written = (by: StoryWriter, request: StoryRequest, caller: Caller, signal: AbortSignal) =>
    oneStory(caller, async function* (count) {
      const giveBack = await places.take(signal);
      count(true);
      try {
        yield* readAhead((until) => by.write(request, until), signal, giveBack);
      } catch (error) {
        const isTooLong = error instanceof AppError && error.code === 'story-too-long';
        if (!signal.aborted && !isTooLong) count(false);
        throw error;
      }
    });

  /** The same by the Loom. What was too much for it counts: it has taken the longest. */
  const woven = (by: Weave, request: StoryRequest, caller: Caller, signal: AbortSignal) =>
    oneStory(caller, async function* (count) {
      const giveBack = await places.take(signal);
      count(true);
      try {
        const { title, text } = await by({ ...request, seed: randomInt(2 ** 32) }, signal);
        yield `${title}\n\n${text}`;
      } finally {
        giveBack();
      }
    });

  return { written, woven };
}

/** @param vaults the tables of other features that a story goes into */
export function storyRoutes(app: Hono, deps: Deps, vaults: Vaults): void {
  const { storyWriter: writer, config } = deps;
  const { written, woven } = storyMakers(deps);

  route(app, deps, stories.writer, async () => ({
    engine: writer ? ('model' as const) : ('loom' as const),
    writer: writer?.writer ?? '',
    writerId: writer?.writerId ?? '',
    perDay: config.storiesADay,
  }));

  async function* draft(
    by: StoryWriter,
    request: StoryRequest,
    caller: Caller,
    c: Context,
  ): AsyncGenerator<DraftLine, void, undefined> {
    let hasBegun = false;
    const endSilence = letIdle(c, SILENCE);
    try {
      for await (const words of written(by, request, caller, c.req.raw.signal)) {
        hasBegun = true;
        yield { type: 'words', words };
      }
      yield { type: 'end' };
    } catch (error) {
      // What fails before the first words is answered with a status of its own.
      if (!hasBegun) throw error;
      if (!(error instanceof AppError)) deps.log.error({ err: error }, 'a story could not be finished');
      const { code, message } = error instanceof AppError ? error : new AppError('internal');
      yield { type: 'error', code, message };
    } finally {
      endSilence();
    }
  }

  route(app, deps, stories.draft, async ({ body, caller, c }) => {
    await expectTone(deps, body, caller);
    if (!writer) throw new AppError('writer-off');
    const { writerId, ...request } = body;
    // A page may have named another model to its author.
    if (writerId && writerId !== writer.writerId) throw new AppError('writer-changed');
    return draft(writer, request, caller, c);
  });

  route(app, deps, stories.generate, async ({ body, caller, c }) => {
    await expectTone(deps, body, caller);
    // Before a model is asked. A vault without a key is told the story in the answer; a key that cannot be used is refused.
    const isKept = (await sealerOf(deps, vaults, caller.accountId)) !== null;
    const { signal } = c.req.raw;
    const story = writer ? written(writer, body, caller, signal) : woven(deps.weave, body, caller, signal);
    const pieces: string[] = [];
    const endSilence = letIdle(c, SILENCE);
    try {
      for await (const piece of story) pieces.push(piece);
    } finally {
      endSilence();
    }
    // It may have taken minutes.
    if (!(await sessionStands(deps, caller))) throw new AppError('not-signed-in');
    const { storyType } = body;
    const { title, text } = titled(splitStory(pieces.join('')), storyType);
    if (!isKept) {
      const createdAt = new Date(deps.now()).toISOString();
      return { stored: false as const, storyType, title, content: text, createdAt };
    }
    const by = writer?.writer ?? null;
    const kept = await keepStory(deps, vaults, caller.accountId, { title, text, storyType, writer: by });
    return { stored: true as const, ...kept };
  });
}

/** How long nothing may be sent while a story is written, in milliseconds: the model's time, and the wait for a place. */
const SILENCE = storyLimits.whole + MINUTE;

const titled = ({ title, text }: StoryText, type: StoryType): StoryText => ({
  title: title || storyLabel(type),
  text,
});

async function expectTone(
  deps: Deps,
  { storyType, emotionalTone }: StoryRequest,
  { accountId }: Caller,
): Promise<void> {
  if (!emotionalTone || !isRitualTone(emotionalTone)) return;
  if (storyType !== 'eulogy') {
    throw new AppError('invalid-input', 'emotionalTone: Only a eulogy has this tone.');
  }
  if (!(await entitlementsOf(deps, accountId)).has('rituals')) throw new AppError('rituals-needed');
}

/** @param wait milliseconds */
function usedUp(perDay: number, wait: number): AppError {
  const count = perDay === 1 ? 'the one story' : `the ${perDay} stories`;
  const sentence = `You have had ${count} that this server has written for an account in 24 hours. It goes on in ${formatDuration(wait)}. Nothing was lost, and the Loom can make your story without a model.`;
  return new AppError('stories-used-up', sentence, Math.max(1, Math.ceil(wait / 1000)));
}
