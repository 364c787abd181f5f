// The OpenPGP key by which this server signs its artifacts.
import * as z from 'zod/mini';
import { call } from '../../shared/http/call.ts';

export const publicKey = call({
  method: 'GET',
  path: '/api/public-key',
  access: 'anyone',
  text: true,
  reply: z.string().check(z.maxLength(16_000)),
});
