import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screens } from '../../../shared/screens.ts';
import { MINUTE, SECOND } from '../../../shared/time.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { answerQuestions, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { anOwner, plantHolders, toyChain } from '../../../testing/wallets.ts';
import { STYLE_HASH, stubWebFiles, writeWebRoot } from '../../../testing/web-files.ts';
import { createCurrentHolders } from '../../holders/current-holders.ts';
import { loadWebFiles } from '../../web-files.ts';
import { acceptsEncoding } from './document-server.ts';

const titleOf = async (response: Response) => /<title>(.*)<\/title>/.exec(await response.text())?.[1];

describe('documents', () => {
  let instance: TestInstance;
  let onboarding: Person;
  let member: Person;
  const files = writeWebRoot();
  beforeAll(async () => {
    instance = await openTestInstance({ deps: { web: stubWebFiles(files.root) } });
    onboarding = await signUpByPassphrase(instance);
    member = await signUpByPassphrase(instance);
    await answerQuestions(member);
  });
  afterAll(async () => {
    await instance.close();
    files.remove();
  });

  const see = async (path: string, cookie?: string) => {
    const response = await instance.request('GET', path, { cookie });
    return { status: response.status, page: await titleOf(response), to: response.headers.get('location') };
  };

  describe('offer the source code', () => {
    it('as the archive that the build made, to everybody', async () => {
      const answer = await instance.request('GET', '/source');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/zip');
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="latebra-source.zip"');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toBe('PK');
    });

    it.each<[string, Record<string, string>, number, string | null, string]>([
      ['one range', { range: 'bytes=1-1' }, 206, 'bytes 1-1/2', 'K'],
      ['several ranges', { range: 'bytes=0-0,1-1' }, 200, null, 'PK'],
      ['another unit', { range: 'items=0-0' }, 200, null, 'PK'],
      ['a range of another version', { range: 'bytes=1-1', 'if-range': '"another"' }, 200, null, 'PK'],
      ['a range behind its end', { range: 'bytes=9-' }, 416, 'bytes */2', ''],
    ])('in part: %s', async (_, headers, status, part, bytes) => {
      const answer = await instance.request('GET', '/source', { headers });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([status, part]);
      expect(await answer.text()).toBe(bytes);
    });

    it('or where the operator says that it is', async () => {
      const elsewhere = await openTestInstance({
        env: { SOURCE_URL: 'https://code.example.org/latebra/v0.1.0' },
        deps: { web: stubWebFiles(files.root) },
      });
      const answer = await elsewhere.request('GET', '/source');
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe('https://code.example.org/latebra/v0.1.0');
      await elsewhere.close();
    });

    it('and answer 404 where there is neither', async () => {
      const without = await openTestInstance();
      expect((await without.request('GET', '/source')).status).toBe(404);
      await without.close();
    });
  });

  describe('go by who somebody is:', () => {
    it.each([
      ['/', 200, 'landing'],
      ['/enter', 200, 'enter'],
      ['/enter?problem=sign-in-refused', 200, 'app'],
      ['/thirteen-holders', 200, 'thirteen-holders'],
      ['/black-scroll', 200, 'black-scroll'],
      ['/help', 200, 'help'],
      ['/privacy', 200, 'privacy'],
      ['/whisper', 200, 'whisper'],
      ['/shadow', 200, 'app'],
      ['/test-verification', 200, 'app'],
      ['/memory-vault', 404, 'not-found'],
      ['/memory-vault/AAAAAAAAAAAAAAAAAAAAAA', 404, 'not-found'],
      ['/myth-builder/new', 404, 'not-found'],
      ['/settings', 404, 'not-found'],
      ['/enter/', 404, 'not-found'],
      ['/nothing', 404, 'not-found'],
      ['/kit', 404, 'not-found'],
      ['/app.html', 404, 'not-found'],
      ['/documents.json', 404, 'not-found'],
      ['/__proto__', 404, 'not-found'],
    ])('a visitor to %s gets %i and the page %s', async (path, status, page) => {
      expect(await see(path)).toMatchObject({ status, page });
    });

    it.each([
      ['/', 200],
      ['/memory-vault', 404],
      ['/relationship-ledger/AAAAAAAAAAAAAAAAAAAAAA', 404],
      ['/thirteen-holders', 404],
      ['/black-scroll', 404],
      ['/whisper', 404],
      ['/settings', 404],
      ['/nothing', 404],
      ['/enter?problem=sign-in-refused', 200],
    ])('an initiate at %s gets %i and the app', async (path, status) => {
      expect(await see(path, onboarding.cookie)).toMatchObject({ status, page: 'app' });
    });

    it('the outbox is a page of administrators alone', async () => {
      expect(await see('/outbox', member.cookie)).toMatchObject({ status: 404, page: 'app' });
      const beAdmin = (is_admin: 0 | 1) =>
        instance.deps.db.updateTable('accounts').set({ is_admin }).execute();
      await beAdmin(1);
      expect(await see('/outbox', member.cookie)).toMatchObject({ status: 200, page: 'app' });
      await beAdmin(0);
    });

    it('administration is theirs too, once there is one: until then the set-up token is entered there', async () => {
      const statusFor = async (cookie: string) => (await see('/administration', cookie)).status;
      expect(await statusFor(member.cookie)).toBe(200);
      const { db } = instance.deps;
      const beAdmin = (is_admin: 0 | 1) =>
        db.updateTable('accounts').set({ is_admin }).where('uid', '=', member.user.id).execute();
      await beAdmin(1);
      const other = await signUpByPassphrase(instance);
      await answerQuestions(other);
      expect([await statusFor(member.cookie), await statusFor(other.cookie)]).toEqual([200, 404]);
      await beAdmin(0);
    });

    it.each([...Object.keys(screens).filter((path) => path !== '/enter' && path !== '/outbox')])(
      'a resident at %s gets 200 and the app, or the document of a link',
      async (path) => {
        const page = { '/': 'desk', '/share/{keyId}': 'share' }[path] ?? 'app';
        expect(await see(path, member.cookie)).toMatchObject({ status: 200, page });
      },
    );

    it.each([
      ['/memory-vault/new', 200],
      ['/relationship-ledger/AAAAAAAAAAAAAAAAAAAAAA', 200],
      ['/memory-vault/', 404],
      ['/memory-vault/AAAAAAAAAAAAAAAAAAAAAA/edit', 404],
      ['/settings/new', 404],
    ])('a resident at %s gets %i: entries have addresses one step below their list', async (path, status) => {
      expect(await see(path, member.cookie)).toMatchObject({ status, page: 'app' });
    });

    it.each(['/help', '/privacy'])('everybody reads the same document at %s', async (path) => {
      for (const cookie of [undefined, onboarding.cookie, member.cookie]) {
        expect(await see(path, cookie)).toMatchObject({ status: 200, page: path.slice(1) });
      }
    });

    it('the number of an entry reaches no log and no other site', async () => {
      const path = '/memory-vault/NumberOfAnEntry-000000';
      const response = await instance.request('GET', path, { cookie: member.cookie });
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      const { body } = await instance.deps.metrics.render(null);
      expect(instance.log).toContainEqual(expect.objectContaining({ route: 'app', status: 200 }));
      expect(JSON.stringify(instance.log) + body).not.toContain('NumberOfAnEntry');
    });

    it('a resident at a path without a screen gets 404 and the app, which says so', async () => {
      expect(await see('/nothing', member.cookie)).toMatchObject({ status: 404, page: 'app' });
    });

    it('whoever is inside is led past the gate', async () => {
      expect(await see('/enter', member.cookie)).toMatchObject({ status: 302, to: '/' });
      expect(await see('/enter', onboarding.cookie)).toMatchObject({ status: 302, to: '/' });
    });

    it('a visitor to a private path keeps the 404, and may sign in and come back', async () => {
      expect(await see('/memory-vault?sign-in')).toMatchObject({
        status: 302,
        to: '/api/login?return=%2Fmemory-vault',
      });
      const login = await instance.request('GET', '/api/login?return=%2Fmemory-vault');
      expect(login.headers.get('location')).toBe('/enter?return=%2Fmemory-vault');
      expect(await see('/enter?return=%2Fmemory-vault')).toMatchObject({ status: 200, page: 'enter' });
      expect(await see('/enter?return=%2Fmemory-vault', member.cookie)).toMatchObject({
        status: 302,
        to: '/memory-vault',
      });
    });

    it.each([
      ['//evil.example?sign-in', '/api/login'],
      ['/%5Cevil.example?sign-in', '/api/login'],
      ['/%2F%2Fevil.example?sign-in', '/api/login?return=%2F%252F%252Fevil.example'],
      ['/settings?sign-in=https://evil.example&return=//evil.example', '/api/login?return=%2Fsettings'],
    ])('a visitor is led from %s to %s, and nowhere else', async (path, to) => {
      expect(await see(path)).toMatchObject({ status: 302, to });
    });

    it.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/api/logout', '/enter'])(
      'whoever is inside is led home from the gate when it names %s',
      async (wanted) => {
        const path = `/enter?return=${encodeURIComponent(wanted)}`;
        expect(await see(path, member.cookie)).toMatchObject({ status: 302, to: '/' });
      },
    );

    it('an ended session is a visitor', async () => {
      expect(await see('/', `latebra-session=${'x'.repeat(43)}`)).toMatchObject({ page: 'landing' });
    });
  });

  describe('show how many of the thirteen have gathered, without a script:', () => {
    const owners = (count: number) => Array.from({ length: count }, (_, n) => [anOwner(n), 99 - n] as const);
    const landing = async (of: TestInstance) => titleOf(await of.request('GET', '/'));

    it.each([0, 1, 12, 13, 40])('%i holders', async (count) => {
      const gathering = await openTestInstance({ deps: { holderSource: toyChain() } });
      expect(await landing(gathering)).toBe('landing');
      await plantHolders(gathering, owners(count));
      const page = await gathering.request('GET', '/');
      expect(page.headers.get('content-security-policy')).toContain(STYLE_HASH);
      expect(await titleOf(page)).toBe(`landing-${Math.min(count, 13)}`);
      await gathering.close();
    });

    it('as far as the build has made such pages', async () => {
      const web = { ...stubWebFiles(), gathering: [] };
      const plain = await openTestInstance({ deps: { holderSource: toyChain(), web } });
      await plantHolders(plain, owners(3));
      expect(await landing(plain)).toBe('landing');
      await plain.close();
    });

    it('or none of it, while the database is away before it was asked once', async () => {
      const away = await openTestInstance({ deps: { holderSource: toyChain() } });
      await away.deps.db.destroy();
      expect(await landing(away)).toBe('landing');
    });

    it('as it was last known, while the database is away or never answers', async () => {
      const chain = { holderSource: toyChain() };
      const known = await openTestInstance({ deps: chain });
      await plantHolders(known, owners(5));
      expect(await landing(known)).toBe('landing-5');
      const { db, now } = known.deps;
      let isHanging = false;
      const silent = {
        selectFrom: (table: 'holder_lists') => (isHanging ? never : db.selectFrom(table)),
      } as typeof db;
      // A query that is built as any other, and whose answer never comes.
      const never: object = new Proxy(
        {},
        { get: (_, name) => (name === 'executeTakeFirst' ? () => new Promise(() => {}) : () => never) },
      );
      let waits = 0;
      const patience = async () => {
        waits += 1;
      };
      const mint = known.deps.holders.mint;
      const holders = createCurrentHolders({ db: silent, now, mint, refresh: MINUTE, patience });
      await holders.read();
      isHanging = true;
      const hanging = await openTestInstance({ deps: { ...chain, holders } });
      known.clock.advance(SECOND);
      for (let n = 0; n < 3; n += 1) expect(await landing(hanging)).toBe('landing-5');
      expect(waits).toBe(1);
      await hanging.close();

      await db.destroy();
      known.clock.advance(SECOND);
      expect(await landing(known)).toBe('landing-5');
      const check = await known.request('GET', '/api/holders/check');
      expect(await check.json()).toMatchObject({ count: 5 });
    });
  });

  describe('of a link that was given or mailed', () => {
    const paths = [
      '/share/abc',
      '/share/abc%23secret',
      '/share/%',
      '/share/a.b~c',
      '/share/x?utm_source=mail',
      '/legacy/abc',
      '/legacy/abc%23key',
      '/still-here',
      '/still-here%23token',
      '/still-here%2523token',
      '/sheets',
      '/sheets%23sheet',
      '/sisters/abc',
      '/sisters/abc%23token',
    ];

    it.each(paths)('are the same at %s to everybody and to robots', async (path) => {
      const page = path.startsWith('/share/') ? 'share' : 'app';
      for (const cookie of [undefined, onboarding.cookie, member.cookie, 'latebra-session=gone']) {
        expect(await see(path, cookie)).toMatchObject({ status: 200, page });
        const head = await instance.request('HEAD', path, { cookie });
        expect(head.status).toBe(200);
        expect(head.headers.get('x-robots-tag')).toBe('noindex');
        expect(head.headers.get('referrer-policy')).toBe('no-referrer');
      }
    });

    it('are one segment long', async () => {
      for (const path of [
        '/share',
        '/share/',
        '/share/a/b',
        '/legacy',
        '/legacy/a/b',
        '/still-here/a',
        '/sheets/a',
        '/sisters',
        '/sisters/a/b',
      ]) {
        expect((await see(path)).status, path).toBe(404);
      }
      expect((await instance.request('POST', '/share/abc')).status).toBe(404);
      expect((await instance.request('GET', '/')).headers.has('x-robots-tag')).toBe(false);
    });

    it('come without a word from the database', async () => {
      const closed = await openTestInstance();
      await closed.deps.db.destroy();
      for (const cookie of [undefined, `latebra-session=${'x'.repeat(43)}`]) {
        expect((await closed.request('GET', '/share/abc', { cookie })).status).toBe(200);
      }
    });

    it('lead to this server’s own address with all that was typed, or say why they cannot open there', async () => {
      const typed = { headers: { host: '127.0.0.1:3000' } };
      const led = await instance.request('GET', '/share/abc%23secret?x=1', typed);
      expect(led.status).toBe(302);
      // A browser carries the fragment along, because the address that it is sent to has none.
      expect(led.headers.get('location')).toBe('http://localhost:3000/share/abc%23secret?x=1');
      expect(led.headers.get('x-robots-tag')).toBe('noindex');
      const insecure = await instance.request('GET', '/share/abc', { headers: { host: '10.1.2.3:3000' } });
      expect(insecure.status).toBe(403);
      expect(insecure.headers.get('x-robots-tag')).toBe('noindex');
    });
  });

  it('may run our own scripts and nothing else', async () => {
    const policy = (await instance.request('GET', '/')).headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split('; ').map((d) => [d.split(' ')[0], d.split(' ').slice(1).join(' ')]),
    );
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': `'self' '${STYLE_HASH}'`,
      'connect-src': "'self'",
      'img-src': "'self' data: blob:",
      'media-src': "'self' blob:",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    });
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  describe('say what the app fetches first:', () => {
    const linkOf = async (path: string, cookie?: string) =>
      (await instance.request('GET', path, { cookie })).headers.get('link');
    const user = '</api/auth/user>; rel=preload; as=fetch; crossorigin=use-credentials';

    it('to a member, who is signed in, and the modules of the screen', async () => {
      expect(await linkOf('/', member.cookie)).toBe(
        `${user}, </assets/dashboard-1a2b3c4d.js>; rel=modulepreload`,
      );
      expect(await linkOf('/memory-vault', member.cookie)).toBe(user);
    });

    it('to everybody, how a one-time link stands, by its number alone', async () => {
      const keyId = 'AbCdEf0123456789-_AbCd';
      expect(await linkOf(`/share/${keyId}`)).toBe(
        `</api/shares/${keyId}>; rel=preload; as=fetch; crossorigin=use-credentials`,
      );
      for (const bent of [`${keyId}%23${'s'.repeat(43)}`, `${keyId}A`, '%', 'a>; rel=preload'])
        expect(await linkOf(`/share/${bent}`), bent).toBeNull();
    });

    it('to everybody, the modules of a letter’s screen', async () => {
      expect(await linkOf('/legacy/abc')).toBe('</assets/legacy-1a2b3c4d.js>; rel=modulepreload');
    });

    it('its styles and its own modules before all else', async () => {
      const preloads = { app: ['/assets/app.css', '/assets/app.js'], '/enter': ['/assets/enter.js'] };
      const other = await openTestInstance({ deps: { web: { ...stubWebFiles(files.root), preloads } } });
      expect(
        (await other.request('GET', '/enter?problem=sign-in-refused')).headers.get('link')?.split(', '),
      ).toEqual([
        '</assets/app.css>; rel=preload; as=style; crossorigin',
        '</assets/app.js>; rel=modulepreload',
        '</assets/enter.js>; rel=modulepreload',
      ]);
      await other.close();
    });

    it('nothing that would be refused, and nothing beside documents without the app', async () => {
      expect(await linkOf('/enter')).toBeNull();
      expect(await linkOf('/')).toBeNull();
      expect(await linkOf('/nothing')).toBeNull();
      expect(await linkOf('/__proto__', member.cookie)).toBe(user);
    });
  });

  it('leave the microphone to the app alone, which listens to breath at /shadow', async () => {
    const allowed = async (path: string, cookie?: string) => {
      const { headers } = await instance.request('GET', path, { cookie });
      return /microphone=([^,]+)/.exec(headers.get('permissions-policy') ?? '')?.[1];
    };
    for (const path of ['/', '/black-scroll', '/nothing', '/api/auth/user'])
      expect(await allowed(path)).toBe('()');
    for (const path of ['/', '/shadow']) expect(await allowed(path, member.cookie)).toBe('(self)');
  });

  it('are never cached, because a path shows another page after signing in', async () => {
    const { headers } = await instance.request('GET', '/');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=1.0', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['deflate', null],
    ['xbr', null],
    ['identity', null],
    ['', null],
  ])('are compressed as a client with "%s" can read them: %s', async (accepted, encoding) => {
    const response = await instance.request('GET', '/', { headers: { 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const body = Buffer.from(await response.arrayBuffer());
    const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
    expect(plain.toString()).toContain('landing');
  });

  it('answer HEAD as GET without the body', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/assets/app-1a2b3c4d.js',
      '/favicon.svg',
      '/healthz',
      '/api/auth/user',
    ]) {
      const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => instance.request(method, path)));
      expect(head?.status).toBe(get?.status);
      expect(await head?.text()).toBe('');
      expect(head?.headers.get('content-type')).toBe(get?.headers.get('content-type'));
    }
  });

  it('are not what other methods get', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await instance.request(method, '/')).status).toBe(404);
    }
  });

  describe('assets', () => {
    it('are cached for ever, because their names change with them', async () => {
      const { status, headers } = await instance.request('GET', '/assets/app-1a2b3c4d.js');
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toContain('text/javascript');
    });

    it('are there as they were asked for once, also while a build takes their place', async () => {
      const web = writeWebRoot();
      const built = await openTestInstance({ deps: { web: stubWebFiles(web.root) } });
      const ask = (encoding: string) =>
        built.request('GET', '/assets/app-1a2b3c4d.js', { headers: { 'accept-encoding': encoding } });
      const first = await ask('br');
      web.remove();
      const again = await ask('br');
      expect(await again.text()).toBe(await first.text());
      expect(new Map(again.headers)).toEqual(new Map(first.headers));
      expect((await ask('gzip')).status).toBe(404);
      await built.close();
    });

    it('carry no header that only documents need, and all others', async () => {
      const namesOf = async (path: string) => [...(await instance.request('GET', path)).headers.keys()];
      const asset = await namesOf('/assets/app-1a2b3c4d.js');
      const missing = (await namesOf('/favicon.svg')).filter((name) => !asset.includes(name));
      expect(missing).toEqual(['cross-origin-opener-policy', 'permissions-policy']);
    });

    it.each([
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['', null],
    ])('go out as the build compressed them, for "%s": %s', async (accepted, encoding) => {
      const headers = { 'accept-encoding': accepted };
      const response = await instance.request('GET', '/assets/app-1a2b3c4d.js', { headers });
      expect(response.headers.get('content-encoding')).toBe(encoding);
    });

    it('may compile WebAssembly in the one worker that stretches passphrases, and nowhere else', async () => {
      for (const encoding of ['br', 'gzip', '']) {
        const headers = { 'accept-encoding': encoding };
        const policyOf = async (name: string) =>
          (await instance.request('GET', `/assets/${name}`, { headers })).headers.get(
            'content-security-policy',
          );
        expect(await policyOf('argon2-worker-5e6f7a8b.js')).toBe(
          "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
        );
        expect(await policyOf('app-1a2b3c4d.js')).toBe("default-src 'none'; frame-ancestors 'none'");
      }
    });

    it('have the service worker beside them, which is asked for anew and may fetch from this origin alone', async () => {
      const { status, headers } = await instance.request('GET', '/service-worker.js');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toContain('text/javascript');
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
    });

    it.each([
      '/assets/missing.js',
      '/assets/',
      '/assets/../documents.json',
      '/assets/%2e%2e/documents.json',
      '/assets/..%2fdocuments.json',
      '/assets/....//documents.json',
      '/assets/%00',
    ])('are nothing at %s', async (path) => {
      const response = await instance.request('GET', path);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain('styleHashes');
    });
  });

  it('come with a picture and a word for robots', async () => {
    expect((await instance.request('GET', '/favicon.svg')).headers.get('content-type')).toContain(
      'image/svg+xml',
    );
    expect((await instance.request('GET', '/favicon.ico')).headers.get('content-type')).toContain('image/');
    expect(await (await instance.request('GET', '/robots.txt')).text()).toContain('User-agent');
  });

  it('can be installed: by a manifest of its own type, and pictures', async () => {
    const { headers } = await instance.request('GET', '/app.webmanifest');
    expect(headers.get('content-type')).toContain('application/manifest+json');
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
    const picture = await instance.request('GET', '/icon-192.png');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await instance.request('GET', '/icon-512.png')).status).toBe(404);
  });

  describe('at fixed addresses', () => {
    it('name whom to tell of a weakness, for half a year from now, where somebody is named', async () => {
      expect((await instance.request('GET', '/.well-known/security.txt')).status).toBe(404);
      const named = await openTestInstance({
        env: { SECURITY_CONTACT: 'mailto:security@example.org', PUBLIC_URL: 'https://vault.example' },
      });
      named.clock.set(Date.parse('2026-05-01T09:30:12.345Z'));
      const answer = await named.request('GET', '/.well-known/security.txt');
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; ?charset=UTF-8$/);
      expect(await answer.text()).toBe(
        'Contact: mailto:security@example.org\nExpires: 2026-10-28T00:00:00.000Z\nPreferred-Languages: en\nCanonical: https://vault.example/.well-known/security.txt\n',
      );
      await named.close();
    });

    it('lead to where a passphrase is changed, a visitor by the way in', async () => {
      const path = '/.well-known/change-password';
      expect((await see(path)).to).toBe('/settings/recovery?sign-in');
      const signIn = await see('/settings/recovery?sign-in');
      expect(signIn.to).toBe('/api/login?return=%2Fsettings%2Frecovery');
      expect((await see(path, member.cookie)).to).toBe('/settings/recovery');
      // By this, password managers tell whether a server answers everything with a page.
      const never = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
      expect((await see(never)).status).toBe(404);
    });
  });

  it('say one sentence, not JSON, when the server itself has failed', async () => {
    const broken = await openTestInstance();
    await broken.deps.db.destroy();
    const response = await broken.request('GET', '/', {
      cookie: `latebra-session=${'x'.repeat(43)}`,
      headers: { accept: 'text/html' },
    });
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('Something went wrong here. Nothing was lost; please try again.');
    expect(response.headers.get('content-type')).toContain('text/plain');
  });

  it('are read from what the build made, with the styles that it vouches for', () => {
    const { documents } = loadWebFiles(files.root);
    expect(Buffer.from(documents.app.plain).toString()).toContain('app');
    expect(documents.landing.styleHashes).toEqual([STYLE_HASH]);
    expect(() => loadWebFiles('/nowhere')).toThrow('The web app is not built: /nowhere is missing.');
  });

  it('are read with the landing pages of the gathering, or without any of them', () => {
    const { gathering } = loadWebFiles(files.root);
    expect(gathering.map(({ plain }) => /landing-\d+/.exec(Buffer.from(plain).toString())?.[0])).toEqual(
      Array.from({ length: 14 }, (_, count) => `landing-${count}`),
    );
    expect(gathering[13]?.styleHashes).toEqual([STYLE_HASH]);
    const before = writeWebRoot();
    writeFileSync(join(before.root, 'documents.json'), JSON.stringify({ 'landing.html': {} }));
    expect(loadWebFiles(before.root).gathering).toEqual([]);
    before.remove();
  });
});

describe('every answer', () => {
  const common = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
  const permissions = (microphone: string) =>
    `camera=(), geolocation=(), microphone=${microphone}, payment=(), usb=(), browsing-topics=()`;
  const paths = [
    '/',
    '/nothing',
    '/enter',
    '/api/auth/user',
    '/api/nothing',
    '/healthz',
    '/api/login',
    '/assets/x',
  ];

  it.each(paths)('at %s carries the headers that keep a browser at bay', async (path) => {
    const instance = await openTestInstance();
    const { headers } = await instance.request('GET', path);
    expect(Object.fromEntries(headers)).toMatchObject(common);
    expect(headers.get('permissions-policy')).toBe(permissions(path === '/enter' ? '(self)' : '()'));
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('strict-transport-security')).toBe(false);
    expect(headers.has('x-powered-by')).toBe(false);
    await instance.close();
  });

  it('that succeeds, is created, or has no body carries them as well', async () => {
    const instance = await openTestInstance();
    const person = await signUpByPassphrase(instance);
    for (const response of [
      await person.request('GET', '/api/auth/user'),
      await person.request('POST', '/api/memory-entries', {
        body: { title: 'dA==', encryptedContent: 'dA==' },
      }),
      await person.request('DELETE', '/api/sessions'),
      await person.request('GET', '/api/logout'),
    ]) {
      expect(Object.fromEntries(response.headers)).toMatchObject(common);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    await instance.close();
  });

  it.each(paths)('at %s tells browsers to come by https alone, once it is there', async (path) => {
    const instance = await openTestInstance({ env: { PUBLIC_URL: 'https://vault.example' } });
    const { headers } = await instance.request('GET', path);
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000');
    await instance.close();
  });

  it.each(paths)('at %s binds subdomains to https where the operator says so', async (path) => {
    const env = { PUBLIC_URL: 'https://vault.example', HSTS_SUBDOMAINS: 'yes' };
    const instance = await openTestInstance({ env });
    const { headers } = await instance.request('GET', path);
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    await instance.close();
  });
});

describe('an encoding', () => {
  it.each([
    ['br', true],
    ['BR', true],
    ['gzip, br', true],
    ['br;q=0.001', true],
    ['br;q=0', false],
    ['br; q=0.000', false],
    ['brotli', false],
    ['', false],
    [undefined, false],
  ])('br is taken by "%s": %s', (header, taken) => {
    expect(acceptsEncoding(header, 'br')).toBe(taken);
  });
});
