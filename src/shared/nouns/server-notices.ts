// What the server has noticed about the way it is run, for its administrator.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

/** How many addresses of undeclared proxies are shown. */
export const UNDECLARED_PROXIES_MAX = 8;

export const serverNoticesSchema = z.object({
  /** Those that were noticed since the start of this process, the first one first. */
  undeclaredProxies: z
    .array(
      z.object({
        /** Of this machine, or of a private network. */
        address: clear(
          'a private address that sends what proxies add, and that TRUSTED_PROXIES does not name',
          z.string().check(z.maxLength(45)),
        ),
        since: message('since when requests come through an undeclared proxy', timestamp),
      }),
    )
    .check(z.maxLength(UNDECLARED_PROXIES_MAX)),
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
