// What the dashboard counts, in one call.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { forEachCount } from '../sealed-kinds.ts';
import { holds } from './switch-state.ts';

export const summary = {
  get: call({
    method: 'GET',
    path: '/api/summary',
    access: 'signed-in',
    reply: z.object({
      ...forEachCount((_, says) => clear(says, z.int())),
      ghosts: clear('how many ghost entries have words left', z.int()),
      legacyScrolls: clear('how many of your letters watch', z.int()),
      whispers: clear('how many whispers you have not opened', z.int()),
      /** Released, and held back until some of the others were read or deleted. */
      whispersHeldBack: clear('how many whispers your vault has no room for yet', z.int()),
      /** Keys whose `hasBeenUsed` is false, also those that have expired or are not ready. */
      shareableKeys: clear('how many one-time links were not used', z.int()),
      /** Of releases, reminders and warnings. */
      unsentMessages: clear('how many of your messages wait although they were tried', z.int()),
      /** Scrolls whose silence has come so far that a warning is due, or that are held past it; null for none. */
      nearRelease: z.nullable(
        z.object({
          scrolls: clear('how many of your letters are near their release', z.int()),
          /** Milliseconds of counted time to the nearest deadline; negative after it. */
          remaining: clear('how long until a legacy scroll is released', z.int()),
          /** What holds that one back. */
          hold: z.nullable(clear('why a legacy scroll is held back', z.enum(holds))),
        }),
      ),
    }),
  }),
};
