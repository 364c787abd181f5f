import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WHISPER_AUDIO_MAX } from '../../../shared/nouns/whisper-audio.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { STUB_WHISPER } from '../../../testing/web-files.ts';

const CURRENT = '/api/whisper-audio/current';
const UPLOAD = '/api/whisper-audio/upload';

/** What begins as a WAV file, of this size. */
const aTrack = (bytes: number, fill = 'whisper ') =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.alloc(bytes - 12, fill)]);

function formWith(content: Uint8Array, field = 'whisperAudio', name = 'my voice.mp3', type = 'audio/mpeg') {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(content)], { type }), name);
  return form;
}

const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describeOnEachEngine('the whisper', (engine) => {
  let instance: TestInstance;
  let admin: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
    admin = await signUpByPassphrase(instance);
    await instance.deps.db
      .updateTable('accounts')
      .set({ is_admin: 1 })
      .where('uid', '=', admin.user.id)
      .execute();
  });
  afterAll(() => instance.close());

  const get = (headers: Record<string, string> = {}, method = 'GET', from = instance) =>
    from.request(method, CURRENT, { headers });
  const upload = (body: unknown, person: Pick<Person, 'request'> = admin) =>
    person.request('POST', UPLOAD, { body });

  it('is the one that comes with the program, until an administrator puts another in its place', async () => {
    const before = await get();
    expect(before.headers.get('content-type')).toBe('audio/mpeg');
    expect(await bytesOf(before)).toEqual(Buffer.from(STUB_WHISPER));

    const track = aTrack(300_000);
    const answer = await upload(formWith(track));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      contentType: 'audio/wav',
      bytes: track.length,
      replacedAt: new Date(instance.clock.now()).toISOString(),
    });
    const after = await instance.request('GET', `${CURRENT}?v=1735689600000`);
    expect(after.headers.get('content-type')).toBe('audio/wav');
    expect(after.headers.get('content-length')).toBe(String(track.length));
    expect(await bytesOf(after)).toEqual(track);
  });

  it('is the same on every server, at once', async () => {
    const other = instance.sibling();
    await upload(formWith(aTrack(2000, 'first')));
    expect(await bytesOf(await get({}, 'GET', other))).toEqual(aTrack(2000, 'first'));
    await upload(formWith(aTrack(3000, 'second')));
    expect(await bytesOf(await get({}, 'GET', other))).toEqual(aTrack(3000, 'second'));
    expect(await bytesOf(await get())).toEqual(aTrack(3000, 'second'));
  });

  it('is one row, however often it is replaced', async () => {
    for (let n = 1; n <= 3; n += 1) await upload(formWith(aTrack(1000 + n)));
    const rows = await instance.deps.db.selectFrom('whisper_audio').selectAll().execute();
    expect(rows.map(({ id, sha256 }) => [id, sha256])).toEqual([[1, digestOf(aTrack(1003))]]);
  });

  it('is fetched from the database once, and not for every range', async () => {
    const track = aTrack(500_000);
    await upload(formWith(track));
    const asked: string[] = [];
    const { db } = instance.deps;
    const watched = await instance.sibling();
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        asked.push(JSON.stringify(node).includes('"content"') ? 'content' : 'row');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const { createApp } = await import('../../app.ts');
    const app = createApp({ ...watched.deps, db: counted });
    const range = (from: number) =>
      app.request(`http://localhost:3000${CURRENT}`, {
        headers: { host: 'localhost:3000', range: `bytes=${from}-${from + 9}` },
      });
    const answers = await Promise.all([0, 10, 100, 1000, 400_000].map(range));
    for (const answer of answers) expect(answer.status).toBe(206);
    expect(asked.filter((what) => what === 'content')).toHaveLength(1);
  });

  describe('is answered by ranges (RFC 9110)', () => {
    const track = aTrack(200_000);
    beforeAll(() => upload(formWith(track)));

    it.each([
      ['bytes=0-0', 0, 0],
      ['bytes=0-', 0, 199_999],
      ['bytes=100-70000', 100, 70_000],
      ['bytes=199999-', 199_999, 199_999],
      ['bytes=199990-999999', 199_990, 199_999],
      ['bytes=-500', 199_500, 199_999],
      ['bytes=-999999', 0, 199_999],
    ])('%s', async (range, first, last) => {
      const answer = await get({ range });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/200000`);
      expect(answer.headers.get('content-length')).toBe(String(last - first + 1));
      expect(answer.headers.get('content-type')).toBe('audio/wav');
      expect(await bytesOf(answer)).toEqual(track.subarray(first, last + 1));
    });

    it.each(['bytes=200000-', 'bytes=-0'])('%s is refused with the size', async (range) => {
      const answer = await get({ range });
      expect(answer.status).toBe(416);
      expect(answer.headers.get('content-range')).toBe('bytes */200000');
      expect(await answer.text()).toBe('');
    });

    it.each(['bytes=5-4', 'bytes=0-1,4-5', 'lines=0-1'])('%s is answered by the whole', async (range) => {
      const answer = await get({ range });
      expect(answer.status).toBe(200);
      expect(answer.headers.has('content-range')).toBe(false);
      expect(await bytesOf(answer)).toEqual(track);
    });

    it('if the part is of the same version', async () => {
      const tag = (await get()).headers.get('etag') ?? '';
      expect(tag).toBe(`"${digestOf(track)}"`);
      const same = await get({ range: 'bytes=0-9', 'if-range': tag });
      expect(same.status).toBe(206);
      for (const other of ['"other"', `W/${tag}`, 'Sat, 01 Jan 2028 00:00:00 GMT']) {
        const whole = await get({ range: 'bytes=0-9', 'if-range': other });
        expect(whole.status).toBe(200);
        expect(await bytesOf(whole)).toEqual(track);
      }
    });

    it('or by a word where a browser has it already', async () => {
      const tag = (await get()).headers.get('etag') ?? '';
      const answer = await get({ 'if-none-match': `"x", W/${tag}` });
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')).toBe(tag);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toBe('');
    });

    it('with the headers of the whole to HEAD, which has no ranges, and no body', async () => {
      const whole = await get();
      for (const headers of [{}, { range: 'bytes=5-9' }, { range: 'bytes=-0' }] as Record<string, string>[]) {
        const head = await get(headers, 'HEAD');
        expect(head.status).toBe(200);
        expect([...head.headers]).toEqual([...whole.headers]);
        expect(await head.text()).toBe('');
      }
    });

    it('with a policy under which it can be nothing but heard', async () => {
      const { headers } = await get();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('accept-ranges')).toBe('bytes');
    });
  });

  describe('stays as it is', () => {
    const track = aTrack(5000, 'stays ');
    beforeAll(() => upload(formWith(track)));
    const expectUntouched = async () => expect(await bytesOf(await get())).toEqual(track);
    const other = aTrack(6000, 'other ');

    it('for whoever is no administrator', async () => {
      const visitor = await upload(formWith(other), instance);
      expect(await failure(visitor)).toEqual({ status: 401, code: 'not-signed-in' });
      const member = await upload(formWith(other), await signUpByPassphrase(instance));
      expect(await failure(member)).toEqual({ status: 403, code: 'not-admin' });
      await expectUntouched();
    });

    it('for an administrator’s browser that another site makes send a form', async () => {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
      ] as Record<string, string>[]) {
        const answer = await admin.request('POST', UPLOAD, { body: formWith(other), headers });
        expect(await failure(answer)).toEqual({ status: 403, code: 'cross-site' });
      }
      await expectUntouched();
    });

    it('without a byte of the file being read for somebody who may not send it', async () => {
      let pulled = 0;
      const body = () =>
        new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              pulled += 1;
              controller.enqueue(new Uint8Array(1024));
            },
          },
          { highWaterMark: 0 },
        );
      const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
      const visitor = await instance.request('POST', UPLOAD, { body: body(), headers });
      expect(visitor.status).toBe(401);
      const crossSite = { ...headers, 'sec-fetch-site': 'cross-site' };
      expect((await admin.request('POST', UPLOAD, { body: body(), headers: crossSite })).status).toBe(403);
      expect(pulled).toBe(0);
    });

    it.each<[string, Buffer]>([
      ['text', Buffer.from('There is no sound in this.')],
      ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['a playlist', Buffer.from('#EXTM3U\nfile:///etc/passwd\n')],
      ['a zip', Buffer.from('PK\x03\x04')],
      ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ])('for %s that is called audio', async (_, content) => {
      const answer = await upload(formWith(content));
      expect(answer.status).toBe(422);
      expect(await answer.json()).toEqual({
        code: 'not-audio',
        message: 'Please select an audio file (mp3, wav, m4a, etc.)',
      });
      await expectUntouched();
    });

    it('for a form that is not one file in its field', async () => {
      const two = formWith(other);
      two.append('whisperAudio', new Blob([new Uint8Array(other)]), 'second');
      expect(await failure(await upload(two))).toEqual({ status: 400, code: 'bad-request' });
      const cases = [formWith(other, 'audio'), formWith(Buffer.alloc(0)), new FormData()];
      for (const form of cases) {
        expect(await failure(await upload(form))).toEqual({ status: 422, code: 'no-file' });
      }
      expect(await failure(await upload({ whisperAudio: 'x' }))).toEqual({ status: 415, code: 'wrong-type' });
      await expectUntouched();
    });

    it('for a file that is too large, said so beforehand or not', async () => {
      const large = formWith(aTrack(WHISPER_AUDIO_MAX + 1));
      expect(await failure(await upload(large))).toEqual({ status: 413, code: 'too-large' });
      const headers = { 'content-type': 'multipart/form-data; boundary=XX', 'content-length': '99999999999' };
      const announced = await admin.request('POST', UPLOAD, { body: Buffer.from('--XX'), headers });
      expect(await failure(announced)).toEqual({ status: 413, code: 'too-large' });
      await expectUntouched();
    });

    it('for a body that never ends', async () => {
      let sent = 0;
      let cancelled = false;
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1024 * 1024;
          controller.enqueue(new Uint8Array(1024 * 1024));
        },
        cancel() {
          cancelled = true;
        },
      });
      const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
      const answer = await admin.request('POST', UPLOAD, { body: endless, headers });
      expect(await failure(answer)).toEqual({ status: 413, code: 'too-large' });
      expect(cancelled).toBe(true);
      expect(sent).toBeLessThan(WHISPER_AUDIO_MAX + 4 * 1024 * 1024);
      await expectUntouched();
    });

    it('for an upload whose sender leaves', async () => {
      const begun = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(
            Buffer.from(
              '--XX\r\nContent-Disposition: form-data; name="whisperAudio"; filename="a"\r\n\r\nRIFF',
            ),
          );
          controller.error(new Error('gone'));
        },
      });
      const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
      const answer = await admin.request('POST', UPLOAD, { body: begun, headers });
      expect(await failure(answer)).toEqual({ status: 400, code: 'bad-request' });
      await expectUntouched();
    });

    it('for an administrator who was signed out while the file was under way', async () => {
      let go = () => {};
      const waiting = new Promise<void>((resolve) => {
        go = resolve;
      });
      let begun = () => {};
      const started = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const encoded = new Response(formWith(other));
      const whole = new Uint8Array(await encoded.arrayBuffer());
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            begun();
            await waiting;
            controller.enqueue(whole);
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const second = await signUpByPassphrase(instance);
      await instance.deps.db
        .updateTable('accounts')
        .set({ is_admin: 1 })
        .where('uid', '=', second.user.id)
        .execute();
      const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
      const answer = second.request('POST', UPLOAD, { body, headers });
      await started;
      await instance.deps.db.deleteFrom('accounts').where('uid', '=', second.user.id).execute();
      go();
      expect(await failure(await answer)).toEqual({ status: 401, code: 'not-signed-in' });
      await expectUntouched();
    });
  });
});
