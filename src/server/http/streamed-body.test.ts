import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { afterEach, expect, it } from 'vitest';
import { PART_HALVINGS_MAX, partBytes } from '../../shared/file-limits.ts';
import { AppError } from '../errors.ts';
import { fallsBehind } from '../pace.ts';
import { connectionLimits } from './connections.ts';
import { streamedBodyLimits, streamedBodyReader } from './streamed-body.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** Milliseconds, as a test says. */
let time = 0;
const limits = { ...streamedBodyLimits, checkEvery: 1 };
const reader = (atOnce = 4, perPerson = 2) =>
  streamedBodyReader({ uploads: { elapsed: () => time } }, { type: 'x/y' }, { ...limits, atOnce, perPerson });

/** A server whose one call does this with its body, and says what became of it. */
async function listening(take: (c: Context) => Promise<string>): Promise<number> {
  const app = new Hono();
  app.put('/', async (c) => {
    try {
      return c.text(await take(c));
    } catch (error) {
      return c.text(error instanceof AppError ? error.code : String(error));
    }
  });
  const server: Server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Says what comes back over a connection, up to where the answer's text begins. */
function connected(port: number): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  cleanups.push(() => socket.destroy());
  let said = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (piece) => {
      said += piece;
      const [head, text] = said.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head ?? '')?.[1]);
      if (text !== undefined && text.length === length) resolve(text);
    });
    socket.on('error', () => resolve('gone')).on('close', () => resolve('gone'));
  });
  return { socket, answer };
}

const head = (length: number) => `PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

async function taken(pieces: AsyncIterable<Buffer>): Promise<string> {
  let all = '';
  for await (const piece of pieces) all += piece;
  return all;
}

it('hands on a body as it comes', async () => {
  const port = await listening((c) => reader().open(c).into(100, taken));
  const { socket, answer } = connected(port);
  socket.write(`${head(6)}abc`);
  socket.write('def');
  expect(await answer).toBe('abcdef');
});

it('takes no more than it may', async () => {
  const port = await listening((c) => reader().open(c).into(5, taken));
  const { socket, answer } = connected(port);
  socket.write(`${head(6)}abcdef`);
  expect(await answer).toBe('too-large');
});

it('ends with what keeps the pieces, and the connection can go on', async () => {
  const port = await listening((c) =>
    reader()
      .open(c)
      .into(100, async (pieces) => {
        for await (const _ of pieces) throw new AppError('wrong-part');
        return 'all';
      }),
  );
  const { socket, answer } = connected(port);
  socket.write(`${head(10)}abc`);
  expect(await answer).toBe('wrong-part');
  socket.write('defghij');
  const again = new Promise<string>((resolve) => socket.once('data', (piece) => resolve(String(piece))));
  socket.write(`${head(1)}a`);
  expect(await again).toContain('wrong-part');
});

it('gives up a body that comes too slowly', async () => {
  const port = await listening((c) =>
    reader()
      .open(c)
      .into(100, async (pieces) => {
        for await (const _ of pieces) time += limits.within + 1;
        return 'whole';
      }),
  );
  const { socket, answer } = connected(port);
  socket.write(`${head(10)}abc`);
  expect(await answer).toBe('too-slow');
});

it('has time for the smallest parts over a slow line, and an answer before the connection ends', () => {
  const { within, perPerson } = streamedBodyLimits;
  // Three lanes share 13 KiB a second.
  const bytesIn = (elapsed: number) => ((13 * 1024) / perPerson) * (elapsed / 1000);
  expect(bytesIn(within)).toBeGreaterThan(partBytes(PART_HALVINGS_MAX));
  expect(fallsBehind({ bytes: bytesIn(within), elapsed: within }, streamedBodyLimits)).toBe(false);
  expect(within).toBeLessThan(connectionLimits.request);
});

it('knows when its sender has gone', async () => {
  let seen: (outcome: string) => void = () => {};
  const outcome = new Promise<string>((resolve) => {
    seen = resolve;
  });
  const port = await listening(async (c) => {
    const work = reader()
      .open(c)
      .into(100, async (pieces) => {
        for await (const _ of pieces) socket.destroy();
        return 'whole';
      });
    seen(await work.catch((error: unknown) => (error instanceof AppError ? error.code : 'another error')));
    return '';
  });
  const { socket } = connected(port);
  socket.write(`${head(10)}abc`);
  expect(await outcome).toBe('bad-request');
});

it('lets in a few of each person and a bounded number of all, and has whoever has most make room in a network', () => {
  const bodies = reader(3, 2);
  const first = bodies.enter(1, 'a');
  const second = bodies.enter(1, 'a');
  let told = '';
  first.giveUp = ({ code }) => {
    told = code;
  };
  expect(() => bodies.enter(1, 'a')).toThrow(expect.objectContaining({ code: 'too-many', retryAfter: 5 }));
  bodies.enter(2, 'a');
  bodies.enter(3, 'a');
  expect(told).toBe('busy');
  // One of each: nobody has so many more than a newcomer that it would be fairer afterwards.
  expect(() => bodies.enter(4, 'a')).toThrow(expect.objectContaining({ code: 'busy', retryAfter: 5 }));
  second.leave();
  bodies.enter(4, 'a');
  expect(() => bodies.enter(1, 'a')).toThrow(expect.objectContaining({ code: 'busy' }));
});

it('has the network that takes most places make room for another one', () => {
  const bodies = reader(4, 2);
  const ended: string[] = [];
  const enter = (person: number, network: string) => {
    bodies.enter(person, network).giveUp = ({ code }) => ended.push(`${person} ${network} ${code}`);
  };
  for (const person of [1, 2, 3]) enter(person, 'a');
  enter(4, 'b');
  enter(5, 'c');
  expect(ended).toEqual(['1 a busy']);
  // Two of one, and one each of two others: nobody has so many more than a newcomer that it would be fairer afterwards.
  expect(() => bodies.enter(6, 'b')).toThrow(expect.objectContaining({ code: 'busy' }));
  enter(7, 'd');
  expect(ended).toEqual(['1 a busy', '2 a busy']);
  expect(() => bodies.enter(8, 'a')).toThrow(expect.objectContaining({ code: 'busy' }));
});

it('ends a body whose place was given to another, also where it had not begun', async () => {
  const bodies = reader(2, 2);
  const port = await listening(async (c) => {
    const place = bodies.enter(1, 'a');
    bodies.enter(2, 'a');
    bodies.enter(3, 'b');
    return bodies.open(c, place).into(100, taken);
  });
  const { socket, answer } = connected(port);
  socket.write(`${head(10)}abc`);
  expect(await answer).toBe('busy');
});
