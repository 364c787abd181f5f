// What is downloaded is real OpenPGP: GnuPG and Sequoia verify it, and call a changed byte broken.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHADOW_SCROLL_FILE, scrollFiles } from '../../../shared/nouns/game.ts';
import { scrollText } from '../../../shared/scroll-text.ts';
import { DAY } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  hasOpenPgpPrograms,
  type OpenPgpPrograms,
  openPgpPrograms,
} from '../../../testing/openpgp-programs.ts';
import { NOTATION } from './scroll-files.ts';

const SHADOW_PATH = '/api/shadow-scroll';
const pathOf = (name: string) => `/api/black-scroll/${name}`;
const everyPath = [...Object.values(scrollFiles).map(pathOf), SHADOW_PATH];
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('a file of the black scroll', () => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance();
  });
  afterAll(() => instance.close());

  it.each(everyPath)('is saved under its name: %s', async (path) => {
    const response = await instance.request('GET', path);
    expect(response.status).toBe(200);
    const name = path === SHADOW_PATH ? SHADOW_SCROLL_FILE : path.split('/').at(-1);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-length')).toBe(String((await bytesOf(response)).length));
  });

  it.each([
    [scrollFiles.text, 'text/plain; charset=utf-8'],
    [scrollFiles.scroll, 'text/plain; charset=utf-8'],
    [scrollFiles.manifest, 'text/plain; charset=utf-8'],
    [scrollFiles.signature, 'application/pgp-signature'],
    [scrollFiles.publicKey, 'application/pgp-keys'],
  ])('%s is %s', async (name, type) => {
    expect((await instance.request('GET', pathOf(name))).headers.get('content-type')).toBe(type);
  });

  it.each(everyPath)('%s is not sent again to whoever has it', async (path) => {
    const first = await instance.request('GET', path);
    const tag = first.headers.get('etag') ?? '';
    const digest = createHash('sha256')
      .update(await bytesOf(first))
      .digest('hex');
    expect(tag).toBe(`"${digest}"`);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await instance.request('GET', path, { headers: { 'if-none-match': known } });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(tag);
      expect(await again.text()).toBe('');
    }
    const other = await instance.request('GET', path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it.each(everyPath)('%s is told about without being sent', async (path) => {
    const [get, head] = [await instance.request('GET', path), await instance.request('HEAD', path)];
    expect(head.status).toBe(200);
    for (const name of ['content-type', 'content-length', 'etag', 'content-disposition']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(await head.text()).toBe('');
  });

  it.each(['BLACK_SCROLL_002.asc', 'secret.key', '..%2Fsecret.key', 'toString', '__proto__'])(
    'is none by the name %s',
    async (name) => {
      expect((await instance.request('GET', pathOf(name))).status).toBe(404);
    },
  );

  it('has the key that the server tells everywhere', async () => {
    const file = await (await instance.request('GET', pathOf(scrollFiles.publicKey))).text();
    expect(file).toBe(await (await instance.request('GET', '/api/public-key')).text());
  });
});

describeOnEachEngine('the files of two servers on one database', (engine) => {
  it('are the same bytes, also after a restart on another day', async () => {
    const instance = await openTestInstance({ engine });
    const files = async (of: TestInstance) =>
      Promise.all(
        Object.values(scrollFiles).map(async (name) => (await of.request('GET', pathOf(name))).text()),
      );
    const first = await files(instance);
    expect(await files(instance.sibling())).toEqual(first);
    instance.clock.advance(40 * DAY);
    expect(await files(instance.sibling())).toEqual(first);
    await instance.close();
  });
});

describe.skipIf(!hasOpenPgpPrograms)('GnuPG and Sequoia', () => {
  let instance: TestInstance;
  let programs: OpenPgpPrograms;
  const KEY = scrollFiles.publicKey;
  beforeAll(async () => {
    // They know what time it is, and refuse what was signed later.
    instance = await openTestInstance({ deps: { now: Date.now } });
    programs = await openPgpPrograms();
    for (const name of Object.values(scrollFiles)) {
      programs.put(name, await bytesOf(await instance.request('GET', pathOf(name))));
    }
    programs.put(SHADOW_SCROLL_FILE, await bytesOf(await instance.request('GET', SHADOW_PATH)));
    expect((await programs.gpg('--import', KEY)).code).toBe(0);
  });
  afterAll(async () => {
    await programs.remove();
    await instance.close();
  });

  const detached = [scrollFiles.text, scrollFiles.signature] as const;
  const verifiedBoth = async (name: string, signature?: string) => {
    const gpg = await programs.gpg('--verify', ...(signature ? [signature, name] : [name]));
    const sq = await programs.sqVerify(KEY, name, signature);
    return { gpg: gpg.code === 0 && gpg.said.includes('Good signature'), sq: sq.code === 0, said: gpg.said };
  };

  it.each([[scrollFiles.scroll, undefined], [scrollFiles.manifest, undefined], [...detached]])(
    'verify %s',
    async (name, signature) => {
      expect(await verifiedBoth(name, signature)).toMatchObject({ gpg: true, sq: true });
    },
  );

  it.each([[scrollFiles.scroll, undefined], [scrollFiles.manifest, undefined], [...detached]])(
    'call %s bad when one byte of it is another',
    async (name, signature) => {
      const bytes = await bytesOf(await instance.request('GET', pathOf(name)));
      // In the text, a letter becomes its neighbour.
      const at = Math.max(0, new TextDecoder('latin1').decode(bytes).indexOf('\n\n')) + 80;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      programs.put(`changed-${name}`, bytes);
      const judged = await verifiedBoth(`changed-${name}`, signature);
      expect(judged).toMatchObject({ gpg: false, sq: false });
      expect(judged.said).toContain('BAD signature');
    },
  );

  it('call the notation bad when one digit of it is another', async () => {
    const { text, signature } = scrollFiles;
    const armored = await (await instance.request('GET', pathOf(signature))).text();
    const [, body = ''] = /\n\n([\s\S]*?)\n=/.exec(armored) ?? [];
    const bytes = Buffer.from(body, 'base64');
    const at = bytes.indexOf(NOTATION) + NOTATION.length;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    programs.put('changed.sig', bytes);
    expect(await verifiedBoth(text, 'changed.sig')).toMatchObject({ gpg: false, sq: false });
  });

  it.each([[scrollFiles.scroll], [scrollFiles.signature, scrollFiles.text]])(
    'show the notation of %s to whoever asks for it, and to nobody else',
    async (...files) => {
      const asked = await programs.gpg('--verify', '--verify-options', 'show-notations', ...files);
      expect(asked.said).toContain(`Signature notation: ${NOTATION}=${instance.deps.puzzle.signatureHex}\n`);
      expect(asked.said.match(/Signature notation/g)).toHaveLength(1);
      expect((await programs.gpg('--verify', ...files)).said).not.toContain('notation');
    },
  );

  it('find the manifesto in the clear-signed file as it is in the plain one', async () => {
    const { out } = await programs.gpg('--decrypt', scrollFiles.scroll);
    expect(out).toBe(scrollText());
    expect(await (await instance.request('GET', pathOf(scrollFiles.text))).text()).toBe(scrollText());
  });

  it('give sums that `sha256sum -c` checks, and that a changed file fails', async () => {
    const check = () =>
      programs.run('sh', '-c', `gpg --batch --quiet --decrypt ${scrollFiles.manifest} | sha256sum -c`);
    const checked = await check();
    const names = [scrollFiles.text, scrollFiles.scroll, scrollFiles.signature, scrollFiles.publicKey];
    expect(checked.out).toBe(names.map((name) => `${name}: OK\n`).join(''));
    expect(checked.code).toBe(0);
    programs.put(scrollFiles.text, `${scrollText()}\n`);
    const changed = await check();
    programs.put(scrollFiles.text, scrollText());
    expect(changed.code).not.toBe(0);
    expect(changed.out).toContain(`${scrollFiles.text}: FAILED`);
  });

  it('open the second scroll with its phrase, and with no other', async () => {
    const { phrase, shadowScroll } = instance.deps.puzzle;
    const opened = await programs.gpgOpen(SHADOW_SCROLL_FILE, phrase);
    expect(opened.code).toBe(0);
    expect(opened.said).toContain('Good signature');
    expect(opened.said).toContain('AES256');
    const plain = (text: string) => text.split(/\s+/).join(' ').trim();
    expect(plain(opened.out)).toBe(plain(shadowScroll));
    const openedBySq = await programs.sqOpen(KEY, SHADOW_SCROLL_FILE, phrase);
    expect(openedBySq.said).toContain('Good signature');
    expect(openedBySq.out).toBe(opened.out);
    expect((await programs.sqOpen(KEY, SHADOW_SCROLL_FILE, `${phrase}.`)).code).not.toBe(0);
    const refused = await programs.gpgOpen(SHADOW_SCROLL_FILE, `${phrase}.`);
    expect(refused.code).not.toBe(0);
    expect(refused.out).toBe('');
  });
});
