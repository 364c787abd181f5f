import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toBase64 } from './base64.ts';
import { OpenError, SealError } from './errors.ts';
import { PASSPHRASE_FLOOR, PASSPHRASE_PARAMS } from './passphrase.ts';
import { unwrapAs, wrapAs } from './testing/reference.ts';
import { generateVaultKey } from './vault-key.ts';
import vectors from './vectors/wrap.json';
import { isWrap, unwrapVaultKey, type Wrap, type WrapMethod, wrapVaultKey } from './wrap.ts';

const passkey: WrapMethod = { method: 'passkey', params: { credentialId: 'wMHCw8TFxsfIycrLzM3Oz9DR0tM' } };
const passphrase: WrapMethod = {
  method: 'passphrase',
  params: { salt: 'gIGCg4SFhoeIiYqLjI2Ojw', ...PASSPHRASE_PARAMS },
};
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const secret = generateVaultKey();
const key = generateVaultKey();

test.each(vectors)('the frozen $wrap.method wrap opens', async (vector) => {
  expect(await unwrapVaultKey(vector.wrap, fromHex(vector.secret))).toEqual(fromHex(vector.key));
});

describe.each([passkey, passphrase])('a $method wrap', (way) => {
  test('gives back the key, also after a journey as JSON', async () => {
    const wrap = await wrapVaultKey(key, secret, way);
    expect(await unwrapVaultKey(JSON.parse(JSON.stringify(wrap)), secret)).toEqual(key);
    expect(wrap).toMatchObject({ v: 1, ...way });
  });

  test('is opened by a second implementation', async () => {
    await fc.assert(
      fc.asyncProperty(bytes32, bytes32, async (vaultKey, own) => {
        expect(unwrapAs(await wrapVaultKey(vaultKey, own, way), own)).toEqual(vaultKey);
      }),
      { numRuns: 20 },
    );
  });

  test('made by a second implementation opens here', async () => {
    const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(bytes32, bytes32, bytes32, iv, async (vaultKey, own, salt, nonce) => {
        expect(await unwrapVaultKey(wrapAs(vaultKey, own, way, salt, nonce), own)).toEqual(vaultKey);
      }),
      { numRuns: 20 },
    );
  });

  test('carries nothing else, least of all a secret that came along with its method', async () => {
    const params = { ...way.params, secret };
    const careless = { ...way, secret, params } as object as WrapMethod;
    const wrap = await wrapVaultKey(key, secret, careless);
    expect(Object.keys(wrap).sort()).toEqual(['commitment', 'method', 'params', 'salt', 'sealed', 'v']);
    expect(wrap.params).toEqual(way.params);
  });

  test('differs each time', async () => {
    const [a, b] = [await wrapVaultKey(key, secret, way), await wrapVaultKey(key, secret, way)];
    expect(a.salt).not.toBe(b.salt);
    expect(a.commitment).not.toBe(b.commitment);
    expect(a.sealed).not.toBe(b.sealed);
  });

  test('does not open with another secret', async () => {
    const wrap = await wrapVaultKey(key, secret, way);
    for (let i = 0; i < secret.length; i++) {
      const other = secret.map((byte, at) => (at === i ? byte ^ 1 : byte));
      await expect(unwrapVaultKey(wrap, other)).rejects.toThrow(OpenError);
    }
    await expect(unwrapVaultKey(wrap, secret.subarray(1))).rejects.toThrow(OpenError);
    await expect(unwrapVaultKey(wrap, new Uint8Array())).rejects.toThrow(OpenError);
  });

  test('allows no character of any text to be changed, shortened or lengthened', async () => {
    const wrap = await wrapVaultKey(key, secret, way);
    for (const [path, value] of texts(wrap)) {
      const changes = [...value].map(
        (character, i) => value.slice(0, i) + (character === 'A' ? 'B' : 'A') + value.slice(i + 1),
      );
      for (const changed of [...changes, value.slice(1), value.slice(4), `${value}A`, `${value}=`, '']) {
        await expect(unwrapVaultKey(replaced(wrap, path, changed), secret)).rejects.toThrow(OpenError);
      }
    }
  });

  test('allows no part to be of another type, or missing', async () => {
    const wrap = await wrapVaultKey(key, secret, way);
    const paths = [['v'], ['method'], ['params'], ...texts(wrap).map(([path]) => path)];
    for (const path of paths) {
      for (const wrong of [undefined, null, 0, 2, '', '1', [], {}, true]) {
        await expect(unwrapVaultKey(replaced(wrap, path, wrong), secret)).rejects.toThrow(OpenError);
      }
    }
  });

  test('has a shape that is known without its secret, and nothing but the shape', async () => {
    const wrap = await wrapVaultKey(key, secret, way);
    expect(isWrap(JSON.parse(JSON.stringify(wrap)))).toBe(true);
    for (const name of ['salt', 'commitment', 'sealed'] as const) {
      for (const cut of [wrap[name].slice(4), `${wrap[name]}AAAA`, wrap[name].slice(1), ''])
        expect(isWrap({ ...wrap, [name]: cut }), `${name} of ${cut.length}`).toBe(false);
      const other = await wrapVaultKey(key, secret, way);
      expect(isWrap({ ...wrap, [name]: other[name] })).toBe(true);
    }
    expect(isWrap({ ...wrap, v: 2 })).toBe(false);
    expect(isWrap(null)).toBe(false);
  });

  test('needs its own commitment, even where the rest is sound', async () => {
    const wrap = await wrapVaultKey(key, secret, way);
    const commitment = toBase64(new Uint8Array(16));
    await expect(unwrapVaultKey({ ...wrap, commitment }, secret)).rejects.toThrow(OpenError);
  });
});

test.each([null, undefined, 0, '', 'wrap', [], {}, () => {}])('%j is no wrap', async (wrap) => {
  await expect(unwrapVaultKey(wrap, secret)).rejects.toThrow(OpenError);
});

test('a wrap of one method is none of the other', async () => {
  const a = await wrapVaultKey(key, secret, passkey);
  const b = await wrapVaultKey(key, secret, passphrase);
  await expect(unwrapVaultKey({ ...a, method: 'passphrase' }, secret)).rejects.toThrow(OpenError);
  await expect(unwrapVaultKey({ ...a, ...passphrase }, secret)).rejects.toThrow(OpenError);
  await expect(unwrapVaultKey({ ...b, ...passkey }, secret)).rejects.toThrow(OpenError);
});

const numbers = ['memory', 'iterations', 'parallelism'] as const;

test.each(numbers)('a passphrase wrap does not open with %s changed, up or down', async (name) => {
  const wrap = await wrapVaultKey(key, secret, passphrase);
  for (const change of [1, -1]) {
    const changed = replaced(wrap, ['params', name], PASSPHRASE_PARAMS[name] + change);
    await expect(unwrapVaultKey(changed, secret)).rejects.toThrow(OpenError);
  }
});

const asking = (name: (typeof numbers)[number], value: number) =>
  replaced(passphrase, ['params', name], value) as WrapMethod;

test.each(numbers)('nothing new is wrapped with less %s than new passphrases have', async (name) => {
  await expect(wrapVaultKey(key, secret, asking(name, PASSPHRASE_PARAMS[name] - 1))).rejects.toThrow(
    RangeError,
  );
});

test.each(numbers)('a wrap with %s at the floor opens, and one under it does not', async (name) => {
  const made = (value: number) =>
    wrapAs(key, secret, asking(name, value), new Uint8Array(32), new Uint8Array(12));
  expect(await unwrapVaultKey(made(PASSPHRASE_FLOOR[name]), secret)).toEqual(key);
  const weak = made(PASSPHRASE_FLOOR[name] - 1);
  expect(unwrapAs(weak, secret)).toEqual(key);
  await expect(unwrapVaultKey(weak, secret)).rejects.toThrow(OpenError);
});

test('nothing is wrapped that is no vault key, under no proper secret, or for no proper passkey', async () => {
  const attempts = [
    () => wrapVaultKey(key.subarray(1), secret, passkey),
    () => wrapVaultKey(key, secret.subarray(1), passkey),
    () => wrapVaultKey(key, secret, { method: 'passkey', params: { credentialId: '' } }),
    () => wrapVaultKey(key, secret, { method: 'passkey', params: { credentialId: 'a+b=' } }),
    () =>
      wrapVaultKey(key, secret, {
        method: 'passphrase',
        params: { ...passphrase.params, salt: 'AAAA' },
      } as WrapMethod),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(SealError);
});

/** Every text in a wrap with its path, the method's name aside. */
function texts(wrap: Wrap): [string[], string][] {
  const own = [wrap.salt, wrap.commitment, wrap.sealed];
  const param = wrap.method === 'passkey' ? 'credentialId' : 'salt';
  const value = wrap.method === 'passkey' ? wrap.params.credentialId : wrap.params.salt;
  return [
    ...['salt', 'commitment', 'sealed'].map((name, i): [string[], string] => [[name], own[i] ?? '']),
    [['params', param], value],
  ];
}

function replaced(value: object, [name = '', ...rest]: string[], by: unknown): object {
  const inner = (value as Record<string, object>)[name] ?? {};
  return { ...value, [name]: rest.length > 0 ? replaced(inner, rest, by) : by };
}
