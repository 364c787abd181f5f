// A recording leaves no trace: the real program hears one, is left, and is killed, and neither its words nor its bytes nor
// the service's secret stand in a file or a line of the log afterwards.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { HANGS, isAlive, untilRunning } from '../testing/hanging-program.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { leftovers, OLD_HOUSE, SILENT_FFMPEG, standInPrograms } from '../testing/speech.ts';
import { openSpeechService } from '../testing/speech-service.ts';

const main = inject('serverProgram');
const SOUND = 'canary-of-the-sound-7f3a9c';
const WORDS = 'canary-of-the-words-51be02';
const NAME = 'canary-of-the-name-c04d1e';
const KEY = 'canary-of-the-key-99aa73';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

function aForm(): FormData {
  const form = new FormData();
  const bytes = Buffer.concat([OLD_HOUSE.bytes, Buffer.from(SOUND)]);
  form.append('audio', new Blob([new Uint8Array(bytes)], { type: `audio/${NAME}` }), NAME);
  return form;
}

/** The program with these engines, and an empty folder for its temporary files. */
async function start(scripts: Record<string, string>, env: Record<string, string> = {}) {
  const programs = standInPrograms(scripts);
  const { dataDir, remove } = aDataDir();
  const temporary = join(programs.folder, 'temporary');
  mkdirSync(temporary);
  cleanups.push(programs.remove, remove);
  const server = await startServer(main, {
    DATA_DIR: dataDir,
    TMPDIR: temporary,
    LOG_LEVEL: 'debug',
    PATH: programs.searchPath,
    ...env,
  });
  cleanups.push(() => server.end('SIGKILL'));
  const expectNoTrace = async () => {
    const places = {
      log: server.output(),
      ...Object.fromEntries(filesUnder(dataDir).map((file) => [file, readFileSync(file, 'latin1')])),
    };
    expect(places.log).toContain('/api/whisper');
    for (const [place, content] of Object.entries(places)) {
      for (const canary of [SOUND, WORDS, NAME, KEY]) expect(content, place).not.toContain(canary);
    }
    expect(readdirSync(temporary)).toEqual([]);
    expect(leftovers()).toEqual([]);
  };
  return { server, programs, expectNoTrace };
}

const transcribe = (server: ServerProcess, signal?: AbortSignal) =>
  fetch(`${server.url}/api/whisper/transcribe`, {
    method: 'POST',
    body: aForm(),
    ...(signal ? { signal } : {}),
  });

describe('a recording leaves no trace', () => {
  it('of what was heard, or could not be', async () => {
    const { server, expectNoTrace } = await start({
      ffmpeg: SILENT_FFMPEG,
      pocketsphinx_continuous: `echo ${WORDS}; echo ${WORDS} >&2`,
    });
    const engine = await (await fetch(`${server.url}/api/whisper/engine`)).json();
    expect(engine).toMatchObject({ engine: 'embedded', hearer: 'this server, by pocketsphinx' });
    const answer = await transcribe(server);
    expect(await answer.json()).toEqual({ text: WORDS, engine: 'embedded', rough: true });
    await server.end();
    await expectNoTrace();
  });

  it.each([
    ['ffmpeg', 'echo canary-of-the-words-51be02 >&2; exit 1', 422],
    ['pocketsphinx_continuous', 'echo canary-of-the-words-51be02; exit 1', 502],
  ])('where %s fails', async (name, script, status) => {
    const { server, expectNoTrace } = await start({
      ffmpeg: SILENT_FFMPEG,
      pocketsphinx_continuous: 'true',
      [name]: script,
    });
    const answer = await transcribe(server);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ message: 'Unable to process audio file' });
    await server.end();
    await expectNoTrace();
  });

  it('where the service fails, with its words and this server’s key in the answer', async () => {
    const service = await openSpeechService();
    cleanups.push(service.close);
    const { server, expectNoTrace } = await start(
      { ffmpeg: SILENT_FFMPEG },
      { STT_BASE_URL: service.url, STT_API_KEY: KEY },
    );
    service.behave({ says: WORDS });
    expect(await (await transcribe(server)).json()).toEqual({ text: WORDS, engine: 'remote' });
    service.behave({ status: 401, body: `{"error":"${KEY} ${WORDS}"}` });
    const answer = await transcribe(server);
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain('canary');
    expect(service.heard.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${KEY}`,
      `Bearer ${KEY}`,
    ]);
    for (const { file } of service.heard) expect(file.includes(SOUND)).toBe(false);
    await server.end();
    await expectNoTrace();
  });

  it.each(['ffmpeg', 'pocketsphinx_continuous'])(
    'where its client leaves while %s runs, which ends with it',
    async (name) => {
      const { server, programs, expectNoTrace } = await start({
        ffmpeg: SILENT_FFMPEG,
        pocketsphinx_continuous: 'true',
        [name]: HANGS,
      });
      const client = new AbortController();
      const sent = transcribe(server, client.signal).catch(() => 'left');
      const pid = await untilRunning(programs.folder);
      client.abort();
      expect(await sent).toBe('left');
      while (isAlive(pid)) await new Promise(setImmediate);
      await fetch(`${server.url}/api/whisper/engine`);
      await server.end();
      await expectNoTrace();
    },
  );

  it('where the server is killed while it hears', async () => {
    const { server, programs, expectNoTrace } = await start({
      ffmpeg: SILENT_FFMPEG,
      pocketsphinx_continuous: HANGS,
    });
    await fetch(`${server.url}/api/whisper/engine`);
    const sent = transcribe(server).catch(() => 'lost');
    const pid = await untilRunning(programs.folder);
    await server.end('SIGKILL');
    expect(await sent).toBe('lost');
    process.kill(pid, 'SIGKILL');
    await expectNoTrace();
  });
});
