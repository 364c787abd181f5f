// Bodies in pieces. What somebody sends costs no more memory than its bytes, in however small pieces it comes.
import { afterEach, describe, expect, it } from 'vitest';
import { openTestInstance } from '../../testing/instance.ts';
import type { Recording } from '../adapters/speech-decoding.ts';
import { receiveUpTo } from './received.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** One byte after another, all in one piece of memory that each overwrites: whoever keeps the pieces has the last byte alone. */
function byteByByte(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(1);
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at === bytes.length) return controller.close();
        piece[0] = bytes[at] ?? 0;
        at += 1;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

describe('what comes in pieces', () => {
  it('is put together, and sets aside no more than there may be', () => {
    const received = receiveUpTo(100_000);
    const pieces = [1, 20_000, 0, 3, 79_996].map((length, at) => Buffer.alloc(length, at + 1));
    for (const piece of pieces) expect(received.add(piece)).toBe(true);
    expect(received.size()).toBe(100_000);
    expect(received.bytes().equals(Buffer.concat(pieces))).toBe(true);
    expect(received.bytes().buffer.byteLength).toBeLessThanOrEqual(100_000);
    expect(received.add(Buffer.alloc(1))).toBe(false);
    expect(received.size()).toBe(100_000);
  });

  it('may be nothing', () => {
    expect(receiveUpTo(0).bytes().length).toBe(0);
    expect(receiveUpTo(0).add(Buffer.alloc(1))).toBe(false);
  });

  it('is kept in no piece of its own: a form', async () => {
    const heard: Recording[] = [];
    const instance = await openTestInstance({
      deps: {
        speech: {
          ...{ engine: 'embedded', hearer: 'this server', rough: true, maxSeconds: 120 },
          hear: async (recording) => {
            heard.push(recording);
            return { text: 'words' };
          },
        },
      },
    });
    cleanups.push(() => instance.close());
    const file = Buffer.from(`RIFF....WAVE${'abcdefg'.repeat(50)}`);
    const form = Buffer.concat([
      Buffer.from('--XX\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\n'),
      file,
      Buffer.from('\r\n--XX--\r\n'),
    ]);
    const answer = await instance.request('POST', '/api/whisper/transcribe', {
      body: byteByByte(form),
      headers: { 'content-type': 'multipart/form-data; boundary=XX' },
    });
    expect(answer.status).toBe(200);
    expect(heard.map(({ bytes }) => bytes.toString())).toEqual([file.toString()]);
  });

  it('is kept in no piece of its own: JSON', async () => {
    const instance = await openTestInstance();
    cleanups.push(() => instance.close());
    const answer = await instance.request('POST', '/api/phase2/decode', {
      body: byteByByte(Buffer.from('{"hexString":"48 65 6c 6c 6f"}')),
      headers: { 'content-type': 'application/json' },
    });
    expect(await answer.json()).toMatchObject({ decoded: 'Hello' });
  });
});
