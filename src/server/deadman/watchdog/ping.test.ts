// The address that is asked for after each tick: real answers of a real server, and none.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { createPing } from './ping.ts';

let server: Server;
let answer: RequestListener;
let asked: (string | undefined)[] = [];
let url: URL;

beforeEach(async () => {
  asked = [];
  answer = (_, response) => response.end('OK');
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a-secret`);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A ping with lines of its own: one that is under way when a test ends is cut off by the next. */
function aPing(address: URL | null) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  return { ping: createPing(address, { log }), lines };
}

it('is asked for by GET, and nothing is said while it answers', async () => {
  const { ping, lines } = aPing(url);
  ping();
  await vi.waitFor(() => expect(asked).toEqual(['GET /a-secret']));
  await vi.waitUntil(() => {
    ping();
    return asked.length > 1;
  });
  expect(lines).toEqual([]);
});

it('says once that it fails and once that it answers again, without the address', async () => {
  answer = (_, response) => response.writeHead(500).end();
  const { ping, lines } = aPing(url);
  const again = async (until: () => boolean) =>
    vi.waitUntil(() => {
      ping();
      return until();
    });
  await again(() => asked.length >= 3);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 40, status: 500 });
  answer = (request) => request.socket.destroy();
  const before = asked.length;
  await again(() => asked.length >= before + 3);
  expect(lines).toHaveLength(1);
  answer = (_, response) => response.end();
  await again(() => lines.length === 2);
  expect(lines[1]).toMatchObject({ level: 30, msg: 'WATCHDOG_URL answers again' });
  expect(JSON.stringify(lines)).not.toMatch(/a-secret|127\.0\.0\.1/);
});

it('follows nobody elsewhere: what answers there says nothing of the alarm, and may be this network’s own', async () => {
  answer = (request, response) =>
    request.url === '/a-secret' ? response.writeHead(302, { location: '/inside' }).end() : response.end('OK');
  const { ping, lines } = aPing(url);
  await vi.waitUntil(() => {
    ping();
    return lines.length > 0;
  });
  expect(lines).toMatchObject([{ level: 40, status: 302 }]);
  expect(asked).not.toContain('GET /inside');
});

it('begins no call while one is under way, and asks nothing without an address', async () => {
  answer = () => {};
  const { ping } = aPing(url);
  ping();
  ping();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  ping();
  aPing(null).ping();
  expect(asked).toHaveLength(1);
});
