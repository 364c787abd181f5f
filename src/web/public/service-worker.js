// Keeps the app's own files for a start without a network, and gives players of a page the sealed files that the page opens, range
// by range. It has no key and holds nothing between two requests. No call to /api passes through it, and no address in which a
// secret would reach the server. While no app is kept, all but a player's request goes to the network. See docs/offline.md.

/** Every file of the app with its digest. The build names the list by its content, so that another app is another worker. */
const LIST = '{list}';
const INTEGRITY = '{integrity}';
const KEPT = 'latebra-app ';
const CACHE = KEPT + LIST;
/** Under this address stands the app's document, which is the same on every screen. */
const DOCUMENT = '/';
/** The screens that are shown from what is kept: those of members alone that make sense so, and where sheets are checked. */
const SCREENS =
  /^\/(?:(?:memory-vault|relationship-ledger|ghost-mode|myth-builder|sacred-keys|final-breath|legacy-scroll|imports|recently-deleted|book|quantum-security|settings|sheets)(?:\/[\w/-]*)?)?$/;
/** How long a reload waits for the server, in milliseconds. */
const PATIENCE = 3000;

self.addEventListener('install', (event) => event.waitUntil(install(event)));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  const { data, ports } = event;
  // A page that was loaded past the cache, or while this worker began, is nobody's.
  if (data === 'claim' || data === 'keep') event.waitUntil(self.clients.claim());
  // Somebody has pressed for the new version.
  if (data === 'take') event.waitUntil(self.skipWaiting());
  if (data === 'keep')
    event.waitUntil(
      keep()
        .then(
          () => true,
          () => false,
        )
        .then((isKept) => ports[0]?.postMessage(isKept)),
    );
});

/** The caches of this app and of those before it, the oldest first. */
const keptApps = async () => (await caches.keys()).filter((name) => name.startsWith(KEPT));

async function install(event) {
  // Where a browser can be told, it does not even ask.
  await event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' }).catch(() => {});
  // Where an app is kept, the new one takes its place whole, and once nobody uses the old one or somebody presses for it.
  if ((await keptApps()).length > 0) await keep();
  else await self.skipWaiting();
}

/** The app before stays until the next one: tabs that have it may still want a part of it. */
async function activate() {
  const before = (await keptApps()).filter((name) => name !== CACHE);
  for (const name of before.slice(0, -1)) await caches.delete(name);
  await self.clients.claim();
}

/** A store that is broken has nothing: the server is asked. */
const match = (file, options) => caches.match(file, { ignoreVary: true, ...options }).catch(() => undefined);

const findDocument = () => match(DOCUMENT, { cacheName: CACHE });

/** Keeps the app, each file as the build has made it. The document comes last: where it is, all is. */
async function keep() {
  if (await findDocument()) return;
  const files = Object.entries(await (await fetch(LIST, { integrity: INTEGRITY })).json());
  const [[, ofDocument]] = files.splice(
    files.findIndex(([file]) => file === DOCUMENT),
    1,
  );
  const cache = await caches.open(CACHE);
  const put = async (file, integrity) => {
    const response = await fetch(file, { integrity, redirect: 'error' });
    if (!response.ok) throw new TypeError(file);
    await cache.put(file, response);
  };
  // Few at a time: the page comes first.
  const lane = async () => {
    for (let next = files.pop(); next; next = files.pop())
      if (!(await cache.match(next[0], { ignoreVary: true }))) await put(...next);
  };
  await Promise.all([lane(), lane(), lane()]);
  await put(DOCUMENT, ofDocument);
}

/** What a page's file is asked for under: a number that the page has drawn. */
const FILE = /^\/media\/([\w-]{22})$/;
/** A player of some browsers does not say that it is one. Never a document: what is sealed must not become a page. */
const PLAYERS = ['audio', 'video', ''];

self.addEventListener('fetch', (event) => {
  const { request, clientId } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  const file = FILE.exec(pathname)?.[1];
  if (request.mode === 'navigate') {
    if (search === '' && SCREENS.test(pathname)) event.respondWith(showApp(request));
  } else if (pathname.startsWith('/assets/')) event.respondWith(asset(event));
  else if (file && PLAYERS.includes(request.destination))
    event.respondWith(answer(event, (from) => askPage(clientId, file, from)));
});

/** The app as it is kept. A reload asks the server first: somebody may find it old. */
async function showApp(request) {
  const kept = await findDocument();
  if (!kept) return fetch(request);
  if (!request.isReloadNavigation && request.cache === 'default') return kept;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, kept));
  const asked = fetch(request).then(
    // What stands before a server that is away says so by these.
    (response) => (response.status >= 502 && response.status <= 504 ? kept : response),
    () => kept,
  );
  return Promise.race([asked, late]);
}

/** A name in /assets/ never means another file. What is wanted seldom is kept once it was wanted. */
async function asset(event) {
  const kept = await match(event.request.url);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.status === 200 && (await findDocument())) {
    const copy = response.clone();
    event.waitUntil(
      caches
        .open(CACHE)
        .then((cache) => cache.put(event.request.url, copy))
        .catch(() => {}),
    );
  }
  return response;
}

/**
 * Asks the page that plays a file for bytes of it from one on.
 * @returns its whole length, its type, and as many bytes as the page gives at once; none behind its end
 */
async function askPage(clientId, file, from) {
  const page = await self.clients.get(clientId);
  if (!page) throw new Error('The page is gone');
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      if (data.bytes) resolve(data);
      else reject(new Error('It was not opened'));
    };
    page.postMessage({ file, from }, [port2]);
  });
}

/** Answers with exactly the range that is asked for: Safari takes nothing else. */
async function answer(event, read) {
  const range = event.request.headers.get('range');
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const from = Number(first);
  let piece;
  try {
    piece = await read(from);
  } catch {
    return new Response(null, { status: 404 });
  }
  const { total, type } = piece;
  const to = last === '' ? total : Math.min(Number(last) + 1, total);
  if (from >= to)
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${total}` } });
  let at = from;
  let end;
  // The browser must not end this worker while it answers.
  event.waitUntil(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { bytes } = piece ?? (await read(at));
        piece = null;
        if (bytes.length === 0) throw new Error('It ended too early');
        const part = bytes.subarray(0, to - at);
        at += part.length;
        controller.enqueue(part);
        if (at < to) return;
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    cancel: () => end(),
  });
  return new Response(body, {
    status: range === null ? 200 : 206,
    headers: {
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-length': String(to - from),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': type,
      'x-content-type-options': 'nosniff',
      ...(range !== null && { 'content-range': `bytes ${from}-${to - 1}/${total}` }),
    },
  });
}
