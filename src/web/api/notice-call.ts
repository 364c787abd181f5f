// What the administrator tells everybody, as the desk asks for it: without the contract's schemas, of which the compiler keeps
// its path and type, and a test what it takes for an answer.
import type { administration } from '../../shared/nouns/administration.ts';
import type { PlainCall } from '../../vault/api/plain-call.ts';
import { moment, nullable, object, text } from '../../vault/api/plain-checks.ts';

/** `administration.notice` of the contract. */
export const memberNotice: PlainCall<typeof administration.notice> = {
  method: 'GET',
  path: '/api/notice',
  access: 'signed-in',
  beside: true,
  check: nullable(object({ says: text, since: moment })),
};
