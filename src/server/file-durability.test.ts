// A part of a file that was acknowledged is there afterwards: the server is killed in the middle of parts, again and again,
// and what its client then sends is what is missing and nothing else.
import { afterEach, expect, inject, it } from 'vitest';
import { partBytes } from '../shared/file-limits.ts';
import { MINUTE } from '../shared/time.ts';
import { aFile, complete, digestOf, putPart, read, reserve, stateOf } from '../testing/files.ts';
import { requesterTo } from '../testing/fuzz/people.ts';
import type { Requester } from '../testing/instance.ts';
import { signUpByPassphrase } from '../testing/people.ts';
import { aSealId } from '../testing/planting.ts';
import { aDataDir, startServer } from '../testing/server-program.ts';

const PARTS = 66;
const KILLS = 20;
const AT_ONCE = 3;
/** How many parts are acknowledged before the next kill. */
const PER_ROUND = PARTS / (KILLS + 2);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

it('no acknowledged part of a file is lost when the server is killed, and none is sent twice', {
  timeout: 10 * MINUTE,
}, async () => {
  const { dataDir, remove } = aDataDir();
  cleanups.push(remove);
  const start = async () => {
    const server = await startServer(inject('serverProgram'), { DATA_DIR: dataDir });
    cleanups.push(() => server.end('SIGKILL'));
    return server;
  };
  let server = await start();
  const { cookie } = await signUpByPassphrase({ request: requesterTo(server.url) });
  const request: Requester = (method, path, options) =>
    requesterTo(server.url)(method, path, { ...options, cookie });
  const file = aFile(PARTS * partBytes(5) - 1000);
  expect((await reserve({ request }, file)).status).toBe(200);

  const acknowledged = new Set<number>();
  /** They were kept, and the answer went with the server. */
  const unheard = new Set<number>();
  let unanswered = 0;
  /** Sends what is missing, three at a time, until enough was acknowledged or the server is gone. */
  async function send(enough: number): Promise<void> {
    const { missing } = await stateOf({ request }, file);
    expect(missing.filter((part) => acknowledged.has(part))).toEqual([]);
    for (let part = 0; part < PARTS; part += 1)
      if (!missing.includes(part) && !acknowledged.has(part)) unheard.add(part);
    const until = acknowledged.size + enough;
    const over = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let part = missing.shift(); part !== undefined; part = missing.shift()) {
          expect(acknowledged.has(part)).toBe(false);
          const answer = await putPart({ request }, file, part).catch(() => null);
          if (answer === null) {
            unanswered += 1;
            return;
          }
          expect(answer.status).toBe(204);
          acknowledged.add(part);
          // In the middle of the others.
          if (acknowledged.size === until) await server.end('SIGKILL');
        }
      }),
    );
    await over;
  }
  for (let kills = 0; kills < KILLS; kills += 1) {
    await send(PER_ROUND);
    server = await start();
  }
  await send(Number.POSITIVE_INFINITY);
  expect(acknowledged.size + unheard.size).toBe(PARTS);
  // What was sent besides is what was on its way when the server was killed.
  expect(unanswered).toBeLessThanOrEqual(KILLS * AT_ONCE);
  expect((await complete({ request }, file, aSealId())).status).toBe(200);
  const whole = Buffer.from(await (await read({ request }, file)).arrayBuffer());
  expect(digestOf(whole)).toBe(digestOf(file.content));
});
