// The server's hot calls, as lists of requests of several people.
import { randomBytes } from 'node:crypto';
import { memoryBody } from './instance.mjs';

const json = { 'content-type': 'application/json' };
const HOUR = 60 * 60 * 1000;
const asJson = (text) => JSON.parse(text);

export const noteBody = () =>
  JSON.stringify({
    encryptedContent: randomBytes(540).toString('base64'),
    maxReads: 1,
    expiresAt: new Date(Date.now() + HOUR).toISOString(),
  });

export const sealBody = () =>
  JSON.stringify({
    encryptedContent: randomBytes(540).toString('base64'),
    doorHash: randomBytes(32).toString('base64url'),
    claimHash: randomBytes(32).toString('base64url'),
    stretching: null,
    encryptedSecret: randomBytes(200).toString('base64'),
  });

/** An entry of the book as the header carries it: 380 bytes are one that puts one row, with IV and tag. */
export const entryHeader = (number) => `${number}.${randomBytes(380).toString('base64')}`;

/**
 * Each stands on the answers of the one before it, given as texts. Those of one person go in their order where it says so.
 * @param cookies of people who take turns
 */
export function hotCalls(cookies) {
  const cookieOf = (n) => cookies[n % cookies.length];
  const post = (path, body) => (n) => ({
    ...{ method: 'POST', path, headers: { ...json, cookie: cookieOf(n) }, body: body() },
  });
  const times = (amount, one) => Array.from({ length: amount }, (_, n) => one(n));
  let memories = [];
  let entries = 0;
  return [
    {
      name: 'create one with its entry',
      inOrder: true,
      requests: (amount) =>
        times(amount, (n) => {
          const { headers, ...request } = post('/api/memory-entries', memoryBody)(n);
          if (n % cookies.length === 0) entries += 1;
          return { ...request, headers: { ...headers, 'x-latebra-book': entryHeader(entries) } };
        }),
    },
    { name: 'create a memory', requests: (amount) => times(amount, post('/api/memory-entries', memoryBody)) },
    {
      name: 'read a memory',
      requests(amount, before) {
        memories = before.map((body) => asJson(body).id);
        return times(amount, (n) => ({
          ...{ method: 'GET', path: `/api/memory-entries/${memories[n]}`, headers: { cookie: cookieOf(n) } },
        }));
      },
    },
    { name: 'create a note', requests: (amount) => times(amount, post('/api/ghost-entries', noteBody)) },
    {
      name: 'burn a note',
      requests: (amount, before) =>
        times(amount, (n) => ({
          ...{ method: 'POST', path: `/api/ghost-entries/${asJson(before[n]).id}/read` },
          headers: { cookie: cookieOf(n) },
        })),
    },
    {
      name: 'reserve a link',
      requests: (amount) =>
        times(amount, (n) =>
          post('/api/shareable-keys', () => JSON.stringify({ entryType: 'memory', entryId: memories[n] }))(n),
        ),
    },
    {
      name: 'seal a link',
      requests: (amount, before) =>
        times(amount, (n) => ({
          ...post('', sealBody)(n),
          ...{ method: 'PUT', path: `/api/shareable-keys/${asJson(before[n]).id}/seal` },
        })),
    },
  ];
}
