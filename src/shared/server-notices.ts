// What the server has noticed about the way it is run, for its administrator.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { message } from './field-classes.ts';
import { timestamp } from './wire.ts';

export const serverNoticesSchema = z.object({
  /** Null while there was none since the start of this process. */
  undeclaredProxySince: z.nullable(
    message('since when requests come through a proxy that TRUSTED_PROXIES does not name', timestamp),
  ),
});
export type ServerNotices = z.output<typeof serverNoticesSchema>;

export const serverNotices = {
  get: call({
    method: 'GET',
    path: '/api/server-notices',
    access: 'admin',
    reply: serverNoticesSchema,
  }),
};
