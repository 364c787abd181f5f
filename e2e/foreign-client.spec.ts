// A client written from the documentation alone: plain fetch, no browser, not a line of the product's own code. It
// signs in by name and passphrase as docs/formats.md tells, and uses the paths and fields of the product's table.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { argon2id } from 'hash-wasm';
import { expect, type TestInstance, test } from './instance.ts';

/** HKDF-SHA-256 (RFC 5869) with an empty salt, for up to 32 bytes. */
function hkdf(ikm: Uint8Array, info: string): Buffer {
  const prk = createHmac('sha256', Buffer.alloc(32)).update(ikm).digest();
  return createHmac('sha256', prk)
    .update(info, 'utf8')
    .update(Buffer.from([1]))
    .digest();
}

/** The salt of a passphrase: what the server gave, bound to its origin and a name that is normalised already. */
function boundSalt(origin: string, name: string, serverPart: string): Buffer {
  const digest = createHash('sha256');
  for (const field of ['latebra/v1/passphrase-salt', origin, name, serverPart]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(field));
    digest.update(length).update(field);
  }
  return digest.digest();
}

class ForeignClient {
  private cookie = '';
  private readonly url: string;

  constructor(instance: TestInstance) {
    this.url = instance.url;
  }

  async call(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie ? { cookie: this.cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const set of answer.headers.getSetCookie()) this.cookie = set.split(';')[0] ?? '';
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : undefined };
  }

  async authKey(name: string, passphrase: string): Promise<string> {
    const { body } = await this.call('POST', '/api/gate/passphrase/salt', { name });
    const stretched = await argon2id({
      password: passphrase.normalize('NFKC').trim(),
      salt: boundSalt(new URL(this.url).origin, name.toLowerCase(), body.salt),
      memorySize: body.memory,
      iterations: body.iterations,
      parallelism: body.parallelism,
      hashLength: 32,
      outputType: 'binary',
    });
    return hkdf(stretched, 'latebra/v1/passphrase-auth').toString('base64url');
  }
}

test('a client written from the documentation signs in and keeps, lists and reads memories', async ({
  instance,
}) => {
  const name = 'Foreign Client';
  const passphrase = 'six words that nobody else knows';
  const first = new ForeignClient(instance);
  const begun = await first.call('POST', '/api/gate/passphrase/begin', {
    name,
    authKey: await first.authKey(name, passphrase),
  });
  expect(begun.status).toBe(201);

  const client = new ForeignClient(instance);
  expect((await client.call('GET', '/api/auth/user')).status).toBe(401);
  const entered = await client.call('POST', '/api/gate/passphrase/enter', {
    name,
    authKey: await client.authKey(name, passphrase),
  });
  expect(entered.status).toBe(200);
  expect((await client.call('GET', '/api/auth/user')).body).toMatchObject({
    onboardingComplete: false,
    email: null,
  });

  const answers = { question1: 'sealed', question2: 'sealed', question3: 'sealed' };
  expect((await client.call('POST', '/api/onboarding', answers)).status).toBe(201);
  expect((await client.call('GET', '/api/auth/user')).body.onboardingComplete).toBe(true);

  const ciphertext = randomBytes(300).toString('base64');
  const kept = await client.call('POST', '/api/memory-entries', {
    title: 'opaque title',
    encryptedContent: ciphertext,
    timeLockUntil: null,
  });
  expect(kept.status).toBe(201);
  expect(kept.body).toMatchObject({
    title: 'opaque title',
    encryptedContent: ciphertext,
    timeLockUntil: null,
  });
  expect(typeof kept.body.id).toBe('number');
  expect(kept.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  const locked = await client.call('POST', '/api/memory-entries', {
    title: 'locked',
    encryptedContent: ciphertext,
    timeLockUntil: new Date(instance.now() + 1000 * 60 * 60).toISOString(),
  });
  expect(locked.body.encryptedContent).toBeNull();

  const list = await client.call('GET', '/api/memory-entries');
  expect(list.body.map((entry: { title: string }) => entry.title)).toEqual(['locked', 'opaque title']);
  expect(list.body[1].encryptedContent).toBe(ciphertext);

  const bare = await client.call('POST', '/api/encryption-key', {
    clientKey: randomBytes(32).toString('hex'),
  });
  expect(bare.status).toBe(422);
  expect(bare.body.message).toContain('must never leave the browser');

  const left = await client.call('GET', '/api/logout');
  expect([left.status, left.headers.get('location')]).toEqual([302, '/']);
  expect((await client.call('GET', '/api/memory-entries')).status).toBe(401);
});
