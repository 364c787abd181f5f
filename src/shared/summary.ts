// What the dashboard counts, in one call.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clear } from './field-classes.ts';

export const summary = {
  get: call({
    method: 'GET',
    path: '/api/summary',
    access: 'signed-in',
    reply: z.object({
      memories: clear('how many memories you keep', z.int()),
      relationships: clear('how many moments your ledger holds', z.int()),
      ghosts: clear('how many ghost entries have words left', z.int()),
      legacyScrolls: clear('how many of your scrolls watch', z.int()),
      whispers: clear('how many whispers you have not opened', z.int()),
      shareableKeys: clear('how many one-time links still open', z.int()),
    }),
  }),
};
