// The whisper is replaced as a whole or not at all: the server is killed in the middle of uploads, again and again.
import { request as httpRequest } from 'node:http';
import { afterEach, expect, inject, it } from 'vitest';
import { createPostgres, describeOnEachEngine } from '../testing/engines.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { leftovers } from '../testing/speech.ts';

const main = inject('serverProgram');
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const aTrack = (name: string) =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.alloc(8 * 1024 * 1024, `${name} `)]);
const HEAD = '--XX\r\nContent-Disposition: form-data; name="whisperAudio"; filename="a"\r\n\r\n';
const formOf = (track: Buffer) => Buffer.concat([Buffer.from(HEAD), track, Buffer.from('\r\n--XX--\r\n')]);

async function post(server: ServerProcess, path: string, body: unknown, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie };
  return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function administrator(server: ServerProcess): Promise<string> {
  const begun = await post(server, '/api/gate/passphrase/begin', { name: aName(), authKey: anAuthKey() });
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const token = /Set-up token, good once: (\S+)/.exec(server.output())?.[1];
  expect((await post(server, '/api/admin/claim', { token }, cookie)).ok).toBe(true);
  return cookie;
}

/** Sends this many bytes of a form, and says when they are on their way. */
function begin(server: ServerProcess, cookie: string, form: Buffer, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    const request = httpRequest(`${server.url}/api/whisper-audio/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=XX', 'content-length': form.length, cookie },
    });
    request.on('error', () => {});
    request.write(form.subarray(0, bytes), () => resolve());
    if (bytes === form.length) request.end();
  });
}

describeOnEachEngine('an upload during which the server is killed', (engine) => {
  it('leaves the whisper that was there, or is complete', async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const env: Record<string, string> = { DATA_DIR: dataDir };
    if (engine === 'postgres') {
      const { url, drop } = await createPostgres('migrated', 'direct');
      cleanups.push(drop);
      env.DATABASE_URL = url;
    }
    const start = async () => {
      const server = await startServer(main, env);
      cleanups.push(() => server.end('SIGKILL'));
      return server;
    };
    let server = await start();
    const cookie = await administrator(server);
    const tracks = new Map([['the first', aTrack('the first')]]);
    const first = await fetch(`${server.url}/api/whisper-audio/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=XX', cookie },
      body: new Uint8Array(formOf(aTrack('the first'))),
    });
    expect(first.status).toBe(200);

    let present = 'the first';
    for (const [round, share] of [0.01, 0.5, 0.999, 1, 1, 1, 1].entries()) {
      const name = `round ${round}`;
      tracks.set(name, aTrack(name));
      const form = formOf(aTrack(name));
      await begin(server, cookie, form, Math.floor(form.length * share));
      await server.end('SIGKILL');
      server = await start();
      const now = await fetch(`${server.url}/api/whisper-audio/current`);
      const content = Buffer.from(await now.arrayBuffer());
      const found = [...tracks].find(([, track]) => track.equals(content))?.[0];
      // What was not sent whole cannot have come; what was may have.
      expect(share < 1 ? [present] : [present, name]).toContain(found);
      present = found ?? '';
    }
    expect(leftovers()).toEqual([]);
  });
});
