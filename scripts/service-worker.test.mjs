// The service worker's own code, in Node: before a server, caches and pages of a few lines.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { screens } from '../src/shared/screens.ts';

const SOURCE = readFileSync(new URL('../src/web/public/service-worker.js', import.meta.url), 'utf8');
const ORIGIN = 'https://vault.example';
const integrityOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const pathOf = (address) => new URL(typeof address === 'string' ? address : address.url, ORIGIN).pathname;

/** What a build has: its files, by their addresses. */
const aBuild = (name) => ({
  '/': `<html>${name}`,
  [`/assets/index-${name}.js`]: `index of ${name}`,
  [`/assets/page-${name}.js`]: `page of ${name}`,
});
const listOf = (files) =>
  JSON.stringify(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, integrityOf(text)])));

let served;
/** What the server does with the next requests: `well`, `not`, `late`, or the status that something before it answers. */
let answers;
let asked;
let stored;

beforeEach(() => {
  served = {};
  answers = 'well';
  asked = [];
  stored = new Map();
});

async function fetchServed(address, { integrity = '' } = {}) {
  const path = pathOf(address);
  asked.push(path);
  if (answers === 'not') throw new TypeError('Failed to fetch');
  if (answers === 'late') return new Promise(() => {});
  if (typeof answers === 'number') return new Response('', { status: answers });
  const text = served[path];
  if (integrity && integrity !== integrityOf(text ?? '')) throw new TypeError('Failed to fetch');
  return new Response(text ?? '', { status: text === undefined ? 404 : 200 });
}

const caches = {
  keys: async () => [...stored.keys()],
  delete: async (name) => stored.delete(name),
  async match(address, { cacheName } = {}) {
    for (const [name, files] of stored) {
      const text = files.get(pathOf(address));
      if (text !== undefined && (cacheName ?? name) === name) return new Response(text);
    }
    return undefined;
  },
  async open(name) {
    const files = stored.get(name) ?? new Map();
    stored.set(name, files);
    return {
      match: async (address) => files.get(pathOf(address)) && new Response(),
      put: async (address, response) => void files.set(pathOf(address), await response.text()),
    };
  },
};

/** A worker of a build, as a browser runs it. */
function aWorker(name, files = aBuild(name)) {
  const list = `/assets/kept-${name}.json`;
  Object.assign(served, files, { [list]: listOf(files) });
  const heard = new Map();
  const done = [];
  let timer = () => {};
  const page = { postMessage: () => {} };
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (type, listener) => heard.set(type, listener),
    skipWaiting: async () => void done.push('took over'),
    clients: { claim: async () => void done.push('claimed'), get: async () => page },
  };
  const source = SOURCE.replace('{list}', list).replace('{integrity}', integrityOf(listOf(files)));
  new Function('self', 'caches', 'fetch', 'setTimeout', source)(
    self,
    caches,
    fetchServed,
    (work, _delay, value) => {
      timer = () => work(value);
    },
  );
  /** Has it hear an event. @returns once it has done what it does about it: what it answers, or null for nothing */
  async function hear(type, event = {}) {
    const waiting = [];
    let answer = null;
    heard.get(type)?.({
      ...{ waitUntil: (work) => waiting.push(work) },
      respondWith(response) {
        answer = response;
      },
      ...event,
    });
    const response = await answer;
    // What is streamed ends once it was read.
    if (!response?.headers.has('accept-ranges')) await Promise.all(waiting);
    return response;
  }
  const get = (path, request = {}) =>
    hear('fetch', {
      clientId: 'page',
      request: {
        ...{ url: ORIGIN + path, method: 'GET', mode: 'cors', destination: 'script', cache: 'default' },
        ...{ headers: new Headers(), ...request },
      },
    });
  return {
    done,
    page,
    get,
    late: () => timer(),
    install: () => hear('install'),
    activate: () => hear('activate'),
    async keep() {
      let isKept;
      const port = {
        postMessage: (answer) => {
          isKept = answer;
        },
      };
      await hear('message', { data: 'keep', ports: [port] });
      return isKept;
    },
    tell: (data) => hear('message', { data, ports: [] }),
    open: (path, request = {}) => get(path, { mode: 'navigate', ...request }),
  };
}

const textOf = async (response) => (response === null ? null : response.text());

describe('an app that is kept', () => {
  test('is there without a network, with every part that may be wanted', async () => {
    const worker = aWorker('one');
    await worker.install();
    expect(await worker.keep()).toBe(true);
    answers = 'not';
    expect(await textOf(await worker.open('/memory-vault'))).toBe('<html>one');
    expect(await textOf(await worker.open('/'))).toBe('<html>one');
    expect(await textOf(await worker.get('/assets/page-one.js'))).toBe('page of one');
  });

  test('has every page from then on, also one that was on its way while the worker took its place', async () => {
    const worker = aWorker('one');
    await worker.keep();
    expect(worker.done).toEqual(['claimed']);
  });

  test('is shown at once: the server is not asked for a document', async () => {
    const worker = aWorker('one');
    await worker.keep();
    asked = [];
    await worker.open('/settings/data');
    expect(asked).toEqual([]);
  });

  test('is not kept where any of its bytes is not the build’s, and is tried again', async () => {
    const worker = aWorker('one');
    served['/assets/page-one.js'] = 'page of somebody';
    expect(await worker.keep()).toBe(false);
    expect(await textOf(await worker.open('/'))).toBe('<html>one');
    expect(asked.at(-1)).toBe('/');
    served['/assets/page-one.js'] = 'page of one';
    // A visitor's page in the place of the app's, as after a session has ended.
    served['/'] = '<html>landing';
    expect(await worker.keep()).toBe(false);
    served['/'] = '<html>one';
    expect(await worker.keep()).toBe(true);
  });

  test('is asked of the server by a reload, and shown where that does not answer, or not in time', async () => {
    const worker = aWorker('one');
    await worker.keep();
    served['/book'] = '<html>two';
    const reload = { isReloadNavigation: true };
    expect(await textOf(await worker.open('/book', reload))).toBe('<html>two');
    expect(await textOf(await worker.open('/book', { cache: 'no-cache' }))).toBe('<html>two');
    for (const state of ['not', 502, 503, 504]) {
      answers = state;
      expect(await textOf(await worker.open('/book', reload))).toBe('<html>one');
    }
    // What the server itself says is shown.
    answers = 404;
    expect((await worker.open('/book', reload))?.status).toBe(404);
    answers = 'late';
    const slow = worker.open('/book', reload);
    await new Promise(setImmediate);
    worker.late();
    expect(await textOf(await slow)).toBe('<html>one');
  });

  test('takes in what is wanted seldom once it was wanted', async () => {
    const worker = aWorker('one');
    served['/assets/strength-worker-1.js'] = 'strength';
    await worker.get('/assets/strength-worker-1.js');
    answers = 'not';
    await expect(worker.get('/assets/strength-worker-1.js')).rejects.toThrow(TypeError);
    answers = 'well';
    await worker.keep();
    await worker.get('/assets/strength-worker-1.js');
    answers = 'not';
    expect(await textOf(await worker.get('/assets/strength-worker-1.js'))).toBe('strength');
  });
});

describe('while nothing is kept', () => {
  test('everything is the server’s, and nothing is left behind', async () => {
    const worker = aWorker('one');
    served['/memory-vault'] = '<html>of the server';
    await worker.install();
    expect(worker.done).toEqual(['took over']);
    expect(await textOf(await worker.open('/memory-vault'))).toBe('<html>of the server');
    expect(await textOf(await worker.get('/assets/page-one.js'))).toBe('page of one');
    expect(stored.size).toBe(0);
  });
});

describe('a newer app', () => {
  async function withTwo() {
    const one = aWorker('one');
    await one.keep();
    const two = aWorker('two');
    await two.install();
    return { one, two };
  }

  test('is kept whole before it is shown, and waits until somebody takes it', async () => {
    const { one, two } = await withTwo();
    expect(two.done).toEqual([]);
    expect(await textOf(await one.open('/'))).toBe('<html>one');
    await two.tell('take');
    expect(two.done).toEqual(['took over']);
    await two.activate();
    expect(await textOf(await two.open('/'))).toBe('<html>two');
  });

  test('leaves a tab of the one before every part of it, and drops the one before that', async () => {
    const { two } = await withTwo();
    await two.activate();
    answers = 'not';
    expect(await textOf(await two.get('/assets/page-one.js'))).toBe('page of one');
    answers = 'well';
    const three = aWorker('three');
    await three.install();
    await three.activate();
    answers = 'not';
    await expect(three.get('/assets/page-one.js')).rejects.toThrow(TypeError);
    expect(await textOf(await three.get('/assets/page-two.js'))).toBe('page of two');
    expect(stored.size).toBe(2);
  });

  test('that cannot be fetched whole is not installed', async () => {
    await aWorker('one').keep();
    const two = aWorker('two');
    delete served['/assets/page-two.js'];
    await expect(two.install()).rejects.toThrow();
  });
});

describe('what passes by', () => {
  /** Screens of members that are nothing without the server. */
  const OF_THE_SERVER = ['/outbox', '/administration', '/checkout'];
  const example = (path) => path.replace(/\{\w+\}/, 'AbCdEfGhIjKlMnOpQrStUv');

  test.each(Object.entries(screens))(
    '%s is shown from what is kept if it is a member’s alone, or checks sheets',
    async (path, who) => {
      const worker = aWorker('one');
      const isKept =
        path === '/' || path === '/sheets' || (who.length === 1 && !OF_THE_SERVER.includes(path));
      expect((await worker.open(example(path))) !== null).toBe(isKept);
    },
  );

  test.each([
    '/api/memory-entries',
    '/api/logout',
    '/share/AbCdEfGhIjKlMnOpQrStUv',
    '/legacy/AbCdEfGhIjKlMnOpQrStUv',
    '/still-here',
    '/sheets%23AbCdEfGhIjKlMnOpQrStUv',
    '/sisters/AbCdEfGhIjKlMnOpQrStUv',
    '/enter',
    '/help',
    '/source',
    '/?payment_intent_client_secret=x',
    '/memory-vault/%41',
  ])('the worker has no part in %s', async (path) => {
    const worker = aWorker('one');
    await worker.keep();
    for (const request of [{ mode: 'navigate' }, { mode: 'cors' }, { mode: 'cors', method: 'POST' }])
      expect(await worker.get(path, request)).toBeNull();
  });

  test('nor in what is sent, or is another origin’s', async () => {
    const worker = aWorker('one');
    await worker.keep();
    expect(await worker.get('/assets/page-one.js', { method: 'POST' })).toBeNull();
    expect(await worker.get('', { url: 'https://elsewhere.example/assets/page-one.js' })).toBeNull();
  });
});

describe('a player', () => {
  const NUMBER = 'AbCdEfGhIjKlMnOpQrStUv';
  const bytes = Uint8Array.from({ length: 10 }, (_, i) => i);

  function playing() {
    const worker = aWorker('one');
    worker.page.postMessage = (data, [port]) => {
      const { from } = data;
      // As the page answers: at most four bytes at a time.
      const piece = { total: 10, type: 'audio/wav', bytes: bytes.slice(from, from + 4) };
      port.postMessage(piece);
    };
    const play = (range) =>
      worker.get(`/media/${NUMBER}`, {
        ...{ mode: 'no-cors', destination: 'audio', headers: new Headers(range ? { range } : {}) },
      });
    return { worker, play };
  }

  test.each([
    ['bytes=0-1', 206, [0, 1], 'bytes 0-1/10'],
    ['bytes=3-', 206, [3, 4, 5, 6, 7, 8, 9], 'bytes 3-9/10'],
    ['bytes=8-100', 206, [8, 9], 'bytes 8-9/10'],
    [undefined, 200, [...bytes], null],
  ])('that asks for %s gets exactly that', async (range, status, wanted, contentRange) => {
    const response = await playing().play(range);
    expect(response?.status).toBe(status);
    expect(response?.headers.get('content-range')).toBe(contentRange);
    expect([...new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer())]).toEqual(wanted);
  });

  test('that asks behind the end is told so, and a document is never answered', async () => {
    const { worker, play } = playing();
    expect((await play('bytes=10-'))?.status).toBe(416);
    expect(await worker.open(`/media/${NUMBER}`)).toBeNull();
    expect(await worker.get(`/media/${NUMBER}`, { destination: 'script' })).toBeNull();
  });
});
