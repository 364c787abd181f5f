// What was opened is gone: from answers, and from the raw bytes of every file of the data folder. And a connection
// that breaks in the middle loses nothing. The real program, on the embedded database.
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { filesHolding } from '../../../testing/data-folder.ts';
import { failure, openTestInstance } from '../../../testing/instance.ts';
import { aName, anAuthKey, signUpByPassphrase } from '../../../testing/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../../../testing/server-program.ts';
import {
  acknowledge,
  aRedemptionId,
  aShare,
  redeem,
  type Sender,
  type Share,
  someWords,
  wordsOf,
} from '../../../testing/shares.ts';
import { deleteExpired } from '../../expiry.ts';

const main = inject('serverProgram');
const used = { status: 410, code: 'share-used' };

/** Whether any part of these words stands in any file of a folder, whatever it is called. */
function isKept(folder: string, words: string): boolean {
  expect(readdirSync(folder)).toContain('latebra.db');
  const middle = Math.floor(words.length / 2);
  const parts = [words.slice(0, 40), words.slice(middle, middle + 40), words.slice(-40)];
  return parts.some((part) => filesHolding(folder, part).length > 0);
}

/** A few words, and a book. */
const lengths = [284, 300_000];

describe('words behind a one-time link, in the data folder of a running server', () => {
  const { dataDir, remove } = aDataDir();
  let server: ServerProcess;
  let owner: Sender;
  let anyone: Sender;
  beforeAll(async () => {
    server = await startServer(main, { DATA_DIR: dataDir, LOG_LEVEL: 'debug' });
    const browser = (cookie: string): Sender => ({
      request: (method, path, { body } = {}) =>
        fetch(server.url + path, {
          method,
          headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
    });
    anyone = browser('');
    const begun = await anyone.request('POST', '/api/gate/passphrase/begin', {
      body: { name: aName(), authKey: anAuthKey() },
    });
    owner = browser(begun.headers.getSetCookie()[0]?.split(';')[0] ?? '');
  });
  afterAll(async () => {
    await server.end();
    remove();
  });

  /** Presses "Open and read" and loses the connection: before the answer, or with its first bytes. */
  function pressAndBreak(share: Share, redemptionId: string, when: 'sent' | 'answered'): Promise<void> {
    const body = JSON.stringify({ door: share.door, claim: share.claim, redemptionId });
    const head = [
      `POST /api/shares/${share.keyId}/redeem HTTP/1.1`,
      'host: localhost',
      'content-type: application/json',
      `content-length: ${body.length}`,
    ];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', reject).on('close', () => resolve());
      if (when === 'answered') socket.once('data', () => socket.destroy());
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => {
        if (when === 'sent') socket.destroy();
      });
    });
  }

  it.each([
    ['with its first bytes', 'answered'],
    ['before it', 'sent'],
  ] as const)(
    'outlive an answer whose connection breaks %s, until they are acknowledged',
    async (_, when) => {
      for (const length of lengths) {
        const share = await aShare(owner, { words: someWords(length) });
        const redemptionId = aRedemptionId();
        await pressAndBreak(share, redemptionId, when);
        // Where it broke before the answer, the server may or may not have heard: either way the same browser gets them.
        expect(await wordsOf(await redeem(anyone, share, { redemptionId }))).toBe(share.words);
        expect(await failure(await redeem(anyone, share))).toEqual(used);
        expect(await wordsOf(await redeem(anyone, share, { redemptionId }))).toBe(share.words);
        expect(isKept(dataDir, share.words)).toBe(true);

        expect((await acknowledge(anyone, share, redemptionId)).status).toBe(204);
        for (const id of [redemptionId, aRedemptionId()]) {
          expect(await failure(await redeem(anyone, share, { redemptionId: id }))).toEqual(used);
        }
        expect(isKept(dataDir, share.words)).toBe(false);
      }
    },
  );

  it('are gone when their owner revokes the key, and so is its secret', async () => {
    for (const length of lengths) {
      const share = await aShare(owner, { words: someWords(length) });
      expect(isKept(dataDir, share.words)).toBe(true);
      expect((await owner.request('DELETE', `/api/shareable-keys/${share.key.id}`)).status).toBe(204);
      expect(isKept(dataDir, share.words)).toBe(false);
      expect(isKept(dataDir, share.seal.encryptedSecret)).toBe(false);
    }
  });

  it('and their links are in nothing that the server says', async () => {
    const share = await aShare(owner);
    await anyone.request('GET', `/share/${share.keyId}%23${share.door}`);
    await redeem(anyone, share);
    // What it says comes through a pipe, perhaps after the answer.
    await expect.poll(server.output).toContain('/share/{keyId}');
    for (const secret of [share.keyId, share.door, share.claim, '%23']) {
      expect(server.output()).not.toContain(secret);
    }
  });
});

describe('words behind a one-time link that nobody acknowledges', () => {
  it('are gone with the first sweep after the lease, or after the link has expired unopened', async () => {
    const instance = await openTestInstance();
    const folder = join(instance.database.file ?? '', '..');
    const owner = await signUpByPassphrase(instance);
    for (const length of lengths) {
      const opened = await aShare(owner, { words: someWords(length) });
      const unopened = await aShare(owner, { words: someWords(length), expiresInHours: 1 });
      const redemptionId = aRedemptionId();
      await redeem(instance, opened, { redemptionId });
      instance.clock.advance(10 * MINUTE);
      expect(isKept(folder, opened.words)).toBe(true);
      await deleteExpired(instance.deps);
      expect(isKept(folder, opened.words)).toBe(false);
      expect(isKept(folder, unopened.words)).toBe(true);
      expect(await failure(await redeem(instance, opened, { redemptionId }))).toEqual(used);
      expect((await acknowledge(instance, opened, redemptionId)).status).toBe(204);
      instance.clock.advance(HOUR);
      await deleteExpired(instance.deps);
      expect(isKept(folder, unopened.words)).toBe(false);
    }
    await instance.close();
  });
});
