// Answers a call with what its handler replied, in the form that the call's row of the contract names.
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type CallShape, CONTRACT, CONTRACT_HEADER } from '../../shared/http/call.ts';
import type { Deps } from '../deps.ts';
import { answerPrepared } from './answer.ts';
import { cuttingConnection } from './breaking-off.ts';
import { clientOf } from './heavy-reading.ts';
import { answerLines } from './lines.ts';
import { securityHeaders } from './security-headers.ts';
import type { Caller } from './session.ts';

/** How the replies of one row are answered. Where the server checks its replies, they are held against the row's schema. */
export function answererOf(deps: Deps, row: CallShape) {
  const bare = {
    ...securityHeaders(deps.config),
    // Visitors write nothing of which an older app could be unsure.
    ...(row.access !== 'anyone' && { [CONTRACT_HEADER]: String(CONTRACT) }),
  };
  const json = { ...bare, 'Content-Type': 'application/json' };
  const plain = { ...bare, 'Content-Type': 'text/plain; charset=utf-8' };
  const check = (value: unknown) => {
    if (deps.checkReplies && row.reply) z.parse(row.reply, value);
  };

  return (c: Context, caller: Caller | null, reply: unknown): Response | Promise<Response> => {
    if (reply instanceof Response) return reply;
    const streamed = (stream: ReadableStream<Uint8Array>) => cuttingConnection(c, stream, deps.log);
    if (row.lines) return answerLines(reply as AsyncGenerator<unknown, void, undefined>, check, streamed);
    if (row.status === 204) return answerPrepared(c, null, 204, bare);
    check(reply);
    const text = row.text ? String(reply) : JSON.stringify(reply);
    // Nobody will take the body of an answer to HEAD.
    const body = c.req.method === 'HEAD' ? text : deps.heavyAnswers.bodyOf(clientOf(deps, c, caller), text);
    const carried = typeof body === 'string' ? body : { ...body, stream: streamed(body.stream) };
    return answerPrepared(c, carried, row.status ?? 200, row.text ? plain : json);
  };
}
