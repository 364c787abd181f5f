import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import { RECORDING_MAX } from '../../../shared/nouns/transcription.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { signUpByPassphrase } from '../../../testing/people.ts';
import { leftovers, OLD_HOUSE, SILENT_FFMPEG, standInPrograms } from '../../../testing/speech.ts';
import { createSpeech, type Speech, type Unheard } from '../../adapters/speech.ts';
import type { Recording } from '../../adapters/speech-decoding.ts';
import { uploadLimits } from '../../upload-limits.ts';

const ENGINE = '/api/whisper/engine';
const TRANSCRIBE = '/api/whisper/transcribe';
const CANARY = 'canary-7f3a9c';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface StandIn extends Speech {
  heard: Recording[];
  /** Signals of those who wait, by the order in which they came. */
  signals: AbortSignal[];
  answer(heard: { text: string } | Unheard): void;
  /** Answers those who wait. */
  finish(): void;
  /** From now on recordings wait for `finish`. */
  hold(): void;
  /** Resolves when so many have come. */
  came(count: number): Promise<void>;
}

function standIn(over: Partial<Speech> = {}): StandIn {
  let answer: { text: string } | Unheard = { text: 'she wrote a letter' };
  let held: (() => void)[] | null = null;
  const watchers: (() => void)[] = [];
  const engine: StandIn = {
    engine: 'embedded',
    hearer: 'this server, by pocketsphinx',
    rough: true,
    maxSeconds: 120,
    ...over,
    heard: [],
    signals: [],
    async hear(recording, signal) {
      engine.heard.push(recording);
      engine.signals.push(signal);
      for (const watch of watchers) watch();
      if (held) await new Promise<void>((resolve) => held?.push(resolve));
      return answer;
    },
    answer(next) {
      answer = next;
    },
    hold() {
      held = [];
    },
    finish() {
      for (const resolve of held ?? []) resolve();
      held = null;
    },
    came: (count) =>
      new Promise((resolve) => {
        const look = () => engine.heard.length >= count && resolve();
        watchers.push(look);
        look();
      }),
  };
  return engine;
}

async function serverWith(speech: Speech | null, env: Record<string, string> = {}): Promise<TestInstance> {
  const instance = await openTestInstance({ env, deps: { speech } });
  cleanups.push(() => instance.close());
  return instance;
}

function formWith(content: Uint8Array = OLD_HOUSE.bytes, field = 'audio', name = `${CANARY}.mp3`) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(content)], { type: 'audio/mpeg' }), name);
  return form;
}

const send = (instance: TestInstance, body: unknown = formWith(), options: object = {}) =>
  instance.request('POST', TRANSCRIBE, { body, from: '192.0.2.1', ...options });

describe('who hears a recording', () => {
  it.each([
    [null, { engine: 'none', hearer: '', rough: false, maxBytes: 0, maxSeconds: 0 }],
    [
      standIn(),
      {
        engine: 'embedded',
        hearer: 'this server, by pocketsphinx',
        rough: true,
        maxBytes: RECORDING_MAX,
        maxSeconds: 120,
      },
    ],
    [
      standIn({ engine: 'remote', hearer: 'stt.example.org', rough: false, maxSeconds: 300 }),
      { engine: 'remote', hearer: 'stt.example.org', rough: false, maxBytes: RECORDING_MAX, maxSeconds: 300 },
    ],
  ])('is told beforehand', async (speech, expected) => {
    const instance = await serverWith(speech);
    expect(await (await instance.request('GET', ENGINE)).json()).toEqual(expected);
  });
});

describe('a recording', () => {
  it('becomes text, and says whether it is a rough one', async () => {
    const rough = standIn();
    const answer = await send(await serverWith(rough));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ text: 'she wrote a letter', engine: 'embedded', rough: true });
    expect(rough.heard[0]).toEqual({
      bytes: OLD_HOUSE.bytes,
      type: { contentType: 'audio/mpeg', demuxer: 'mp3' },
    });
    const remote = standIn({ engine: 'remote', rough: false });
    expect(await (await send(await serverWith(remote))).json()).toEqual({
      text: 'she wrote a letter',
      engine: 'remote',
    });
  });

  it.each<[Unheard, number, string, string]>([
    ['unreadable', 422, 'unreadable-audio', 'Unable to process audio file'],
    ['failed', 502, 'transcription-failed', 'Unable to process audio file'],
    ['too-long', 422, 'recording-too-long', 'This recording is too long: 2 minutes at most.'],
    ['busy', 503, 'busy', 'This server is busy with other recordings. Please try again in a minute.'],
  ])('that is %s is answered %i %s', async (heard, status, code, message) => {
    const speech = standIn();
    speech.answer(heard);
    const answer = await send(await serverWith(speech));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ code, message });
    expect(answer.headers.get('retry-after')).toBe(heard === 'busy' ? '30' : null);
  });

  it('is refused, unread, where nobody hears it', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull() {
          pulled += 1;
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
    const answer = await send(await serverWith(null), body, { headers });
    expect(await failure(answer)).toEqual({ status: 503, code: 'transcription-off' });
    expect(pulled).toBe(0);
  });

  it('is refused, unread, where another site made a browser send it', async () => {
    const speech = standIn();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await send(await serverWith(speech), formWith(), { headers });
    expect(await failure(answer)).toEqual({ status: 403, code: 'cross-site' });
    expect(speech.heard).toEqual([]);
  });

  it.each<[string, FormData | string, number, string]>([
    ['text that is called mp3', formWith(Buffer.from('There is no sound in this.')), 422, 'not-audio'],
    ['a playlist', formWith(Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')), 422, 'not-audio'],
    [
      'a playlist of the network',
      formWith(Buffer.from('#EXTM3U\nhttp://169.254.169.254/latest\n')),
      422,
      'not-audio',
    ],
    [
      'a list of files',
      formWith(Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")),
      422,
      'not-audio',
    ],
    ['a zip', formWith(Buffer.from('PK\x03\x04')), 422, 'not-audio'],
    ['nothing', formWith(Buffer.alloc(0)), 422, 'no-file'],
    ['another field', formWith(OLD_HOUSE.bytes, 'file'), 422, 'no-file'],
    ['a file that is too large', formWith(Buffer.alloc(RECORDING_MAX + 1)), 413, 'too-large'],
    ['JSON', '{"audio":"x"}', 415, 'wrong-type'],
  ])('that is %s is refused, and nobody hears it', async (_, body, status, code) => {
    const speech = standIn();
    const answer = await send(await serverWith(speech), body);
    expect(await failure(answer)).toEqual({ status, code });
    expect(speech.heard).toEqual([]);
  });

  it('comes alone', async () => {
    const two = formWith();
    two.append('audio', new Blob([new Uint8Array(OLD_HOUSE.bytes)]), 'second.mp3');
    const answer = await send(await serverWith(standIn()), two);
    expect(await failure(answer)).toEqual({ status: 400, code: 'bad-request' });
  });

  it('is in no log line, nor is its name, its text, or what an engine says', async () => {
    const programs = standInPrograms({
      ffmpeg: SILENT_FFMPEG,
      pocketsphinx: `echo '{"t":"${CANARY} text"}'; echo '${CANARY} error' >&2`,
    });
    cleanups.push(programs.remove);
    const instance = await serverWith(createSpeech({ stt: null, searchPath: programs.searchPath }));
    const sent = Buffer.concat([OLD_HOUSE.bytes, Buffer.from(CANARY)]);
    expect(await (await send(instance, formWith(sent))).json()).toMatchObject({ text: `${CANARY} text` });
    await send(instance, formWith(Buffer.from(`${CANARY} is no audio`)));
    expect(JSON.stringify(instance.log)).not.toContain(CANARY);
    expect(leftovers()).toEqual([]);
  });
});

describe('recordings of many', () => {
  it('are taken one at a time from each address, and few at a time from all', async () => {
    const speech = standIn();
    const instance = await serverWith(speech);
    speech.hold();
    const first = send(instance, formWith(), { from: '192.0.2.1' });
    await speech.came(1);
    const second = await send(instance, formWith(), { from: '192.0.2.1' });
    expect(second.headers.get('retry-after')).toBe('10');
    expect(await failure(second)).toEqual({ status: 429, code: 'too-many' });

    // One household has one place, however many addresses of IPv6 it has.
    const household = send(instance, formWith(), { from: '2001:db8:1:2::1' });
    await speech.came(2);
    const neighbour = await send(instance, formWith(), { from: '2001:db8:1:2:ffff::9' });
    expect(neighbour.status).toBe(429);

    const { atOnce, strangersAtOnce } = uploadLimits;
    const others = Array.from({ length: strangersAtOnce - 2 }, (_, n) =>
      send(instance, formWith(), { from: `198.51.100.${n}` }),
    );
    await speech.came(strangersAtOnce);
    const late = await send(instance, formWith(), { from: '203.0.113.1' });
    expect(late.headers.get('retry-after')).toBe('30');
    expect(await failure(late)).toEqual({ status: 503, code: 'busy' });

    // The other places are for people who are signed in.
    const { cookie } = await signUpByPassphrase(instance);
    const members = Array.from({ length: atOnce - strangersAtOnce }, (_, n) =>
      send(instance, formWith(), { cookie, from: `203.0.113.${n}` }),
    );
    await speech.came(atOnce);
    expect((await send(instance, formWith(), { cookie, from: '203.0.113.99' })).status).toBe(503);

    speech.finish();
    for (const answer of await Promise.all([first, household, ...others, ...members])) {
      expect(answer.status).toBe(200);
    }
    expect((await send(instance, formWith(), { from: '192.0.2.1' })).status).toBe(200);
    expect((await send(instance, formWith(), { from: '203.0.113.1' })).status).toBe(200);
  });

  it('give their place back, whatever becomes of them', async () => {
    const speech = standIn();
    const instance = await serverWith(speech);
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error('gone')),
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
    expect((await send(instance, broken, { headers })).status).toBe(400);
    for (const body of [formWith(Buffer.from('text')), new FormData(), formWith()]) {
      expect((await send(instance, body)).status).not.toBe(429);
    }
    speech.hear = () => Promise.reject(new Error(CANARY));
    for (let n = 0; n < 2; n += 1) expect((await send(instance)).status).toBe(500);
  });

  it('are thirty an hour from one address, and another one has its own', async () => {
    const instance = await serverWith(standIn());
    for (let n = 0; n < 30; n += 1) expect((await send(instance)).status).toBe(200);
    expect(await failure(await send(instance))).toEqual({ status: 429, code: 'too-many' });
    expect((await send(instance, formWith(), { from: '192.0.2.2' })).status).toBe(200);
    // On another server of the same database as well.
    const sibling = instance.sibling();
    expect((await send(sibling)).status).toBe(429);
    instance.clock.advance(HOUR);
    expect((await send(instance)).status).toBe(200);
  });
});

describeOnEachEngine('recordings of one day', (engine) => {
  async function serverOfADay(perDay: number) {
    const env = { TRANSCRIPTIONS_PER_DAY: String(perDay) };
    const instance = await openTestInstance({ engine, env, deps: { speech: standIn() } });
    cleanups.push(() => instance.close());
    let addresses = 0;
    return {
      instance,
      /** Sends one from an address that was not seen before. */
      fromElsewhere: (cookie?: string, to = instance) => {
        addresses += 1;
        return send(to, formWith(), { cookie, from: `10.0.${addresses >> 8}.${addresses & 255}` });
      },
    };
  }
  const expectRefusal = async (answer: Response, message: string) => {
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe(String(DAY / 1000));
    expect(await answer.json()).toEqual({ code: 'too-many', message });
  };
  const VISITORS =
    'All recordings are used up that this server transcribes in a day for visitors. Members who sign in have others. Please try again in 24 hours.';
  const MEMBERS =
    'All recordings are used up that this server transcribes in a day for its members. Please try again in 24 hours.';

  it('are so many for strangers of all addresses together, who leave members theirs', async () => {
    const { instance, fromElsewhere } = await serverOfADay(20);
    for (let n = 0; n < 10; n += 1) expect((await fromElsewhere()).status).toBe(200);
    for (let n = 0; n < 20; n += 1) await expectRefusal(await fromElsewhere(), VISITORS);
    // On another server of the same database as well.
    await expectRefusal(await fromElsewhere(undefined, instance.sibling()), VISITORS);
    for (let n = 0; n < 5; n += 1) {
      const { cookie } = await signUpByPassphrase(instance);
      for (let each = 0; each < 2; each += 1) expect((await fromElsewhere(cookie)).status).toBe(200);
    }
    const { cookie } = await signUpByPassphrase(instance);
    await expectRefusal(await fromElsewhere(cookie), MEMBERS);
    instance.clock.advance(DAY);
    expect((await fromElsewhere()).status).toBe(200);
    expect((await fromElsewhere(cookie)).status).toBe(200);
  });

  it('are a tenth for one address, and a tenth for one account wherever it is', async () => {
    const { instance, fromElsewhere } = await serverOfADay(30);
    for (let n = 0; n < 3; n += 1) expect((await send(instance)).status).toBe(200);
    await expectRefusal(
      await send(instance),
      'The recordings of your address for this day are used up. Please try again in 24 hours.',
    );
    expect((await fromElsewhere()).status).toBe(200);

    const { cookie } = await signUpByPassphrase(instance);
    for (let n = 0; n < 3; n += 1) expect((await fromElsewhere(cookie)).status).toBe(200);
    await expectRefusal(
      await fromElsewhere(cookie),
      'Your recordings of this day are used up. Please try again in 24 hours.',
    );
    // Whoever is signed in does not use up what the strangers at this address have, nor the other way round.
    const other = await signUpByPassphrase(instance);
    expect((await send(instance, formWith(), { cookie: other.cookie })).status).toBe(200);
  });

  it('of a cookie that is nobody’s are those of a stranger', async () => {
    const { instance, fromElsewhere } = await serverOfADay(10);
    const { cookie } = await signUpByPassphrase(instance);
    const forged = cookie.replace(/.{8}$/, 'AAAAAAAA');
    for (let n = 0; n < 5; n += 1) expect((await fromElsewhere(forged)).status).toBe(200);
    await expectRefusal(await fromElsewhere(forged), VISITORS);
  });
});

describe('over a real connection', () => {
  async function listening(instance: TestInstance) {
    const server = createServer(getRequestListener(instance.app.fetch));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  /** A form of any length, of which nothing is sent yet. */
  function beginSending(port: number) {
    const headers = { 'content-type': 'multipart/form-data; boundary=XX', 'transfer-encoding': 'chunked' };
    const request = httpRequest({ port, method: 'POST', path: TRANSCRIBE, headers });
    request.on('error', () => {});
    return request;
  }

  it('a client that leaves ends the work for its recording', async () => {
    const speech = standIn();
    const instance = await serverWith(speech);
    speech.hold();
    const port = await listening(instance);
    const client = new AbortController();
    const sent = fetch(`http://127.0.0.1:${port}${TRANSCRIBE}`, {
      method: 'POST',
      body: formWith(),
      signal: client.signal,
    }).catch(() => 'left');
    await speech.came(1);
    const [signal] = speech.signals;
    const ended = signal && once(signal, 'abort');
    client.abort();
    expect(await sent).toBe('left');
    await ended;
    expect(signal?.aborted).toBe(true);
    speech.finish();
  });

  it('a client that leaves while it sends gives its place back', async () => {
    const speech = standIn();
    let beginReading = () => {};
    const isRead = new Promise<void>((resolve) => {
      beginReading = resolve;
    });
    // It is looked at when a file that has a place begins to be read.
    const elapsed = () => {
      beginReading();
      return 0;
    };
    const instance = await openTestInstance({ deps: { speech, uploads: { limits: uploadLimits, elapsed } } });
    cleanups.push(() => instance.close());
    const port = await listening(instance);
    const again = () => fetch(`http://127.0.0.1:${port}${TRANSCRIBE}`, { method: 'POST', body: formWith() });
    const request = beginSending(port);
    request.write('--XX\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nRIFF');
    await isRead;
    const refused = await again();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    request.destroy();
    await expect.poll(async () => (await again()).status, { timeout: 20_000 }).toBe(200);
    expect(speech.heard).toHaveLength(1);
  });

  it('a body without an end is cut off', async () => {
    const speech = standIn();
    const port = await listening(await serverWith(speech));
    const request = beginSending(port);
    const piece = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const more = () => {
      do sent += piece.length;
      while (sent < 200 * piece.length && request.write(piece));
    };
    request.on('drain', more);
    more();
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(413);
    expect(sent).toBeLessThan(100 * piece.length);
    request.destroy();
    expect(speech.heard).toEqual([]);
  });

  it('a declared length that is too large is refused before anything is sent', async () => {
    const port = await listening(await serverWith(standIn()));
    const request = httpRequest({
      port,
      method: 'POST',
      path: TRANSCRIBE,
      headers: { 'content-type': 'multipart/form-data; boundary=XX', 'content-length': '99999999999' },
    });
    request.on('error', () => {});
    request.flushHeaders();
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(413);
    request.destroy();
  });
});
