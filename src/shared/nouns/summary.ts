// What the dashboard counts, in one call.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { forEachCount } from '../sealed-kinds.ts';
import { holds } from './switch-state.ts';

/** How many of something: a number below nothing is no such answer. */
const count = z.int().check(z.minimum(0));

export const summary = {
  get: call({
    method: 'GET',
    path: '/api/summary',
    access: 'signed-in',
    reply: z.object({
      ...forEachCount((_, says) => clear(says, count)),
      ghosts: clear('how many ghost entries have words left', count),
      legacyScrolls: clear('how many of your letters watch', count),
      whispers: clear('how many whispers you have not opened', count),
      /** Released, and held back until some of the others were read or deleted. */
      whispersHeldBack: clear('how many whispers your vault has no room for yet', count),
      /** Keys whose `hasBeenUsed` is false, also those that have expired or are not ready. */
      shareableKeys: clear('how many one-time links were not used', count),
      /** Whether their wait is over or not; activity stops it. */
      kitsAsked: clear('how many of your guardians’ kits were asked for', count),
      /** Within the last thirty days, and not asked for again since: whoever signs in stops them before they read of it. */
      kitsStopped: clear('how many of your guardians’ kits were asked for and stopped lately', count),
      /** Of releases, reminders and warnings. */
      unsentMessages: clear('how many of your messages wait although they were tried', count),
      /** Scrolls whose silence has come so far that a warning is due, or that are held past it; null for none. */
      nearRelease: z.nullable(
        z.object({
          scrolls: clear('how many of your letters are near their release', count),
          /** Milliseconds of counted time to the nearest deadline; negative after it. */
          remaining: clear('how long until a legacy scroll is released', z.int()),
          /** What holds that one back. */
          hold: z.nullable(clear('why a legacy scroll is held back', z.enum(holds))),
        }),
      ),
    }),
  }),
};
