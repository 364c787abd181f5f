// Pages and assets. Which document somebody gets depends on who they are; what is inside a vault never stands in one.
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { ADMINISTRATION_PATH, publicDocuments, SERVICE_WORKER_PATH } from '../../../shared/addresses.ts';
import { account } from '../../../shared/nouns/account.ts';
import { shares } from '../../../shared/nouns/sacred-key.ts';
import { safeReturn } from '../../../shared/safe-return.ts';
import {
  hasScreen,
  isLegacyPath,
  isSharePath,
  isSheetsPath,
  isStillHerePath,
  type ScreenPath,
  SIGN_IN_QUERY,
  SOURCE_PATH,
  type Standing,
} from '../../../shared/screens.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { leaveOut } from '../../http/answer.ts';
import { isAtCheckout } from '../../http/checkout-origin.ts';
import { nameRoute } from '../../http/observe.ts';
import { documentHeaders, serviceWorkerPolicy, workerPolicy } from '../../http/security-headers.ts';
import { readSession } from '../../http/session.ts';
import { standing as siteStanding } from '../../http/site.ts';
import type { DocumentName } from '../../web-files.ts';
import { keptAssets } from './assets.ts';
import { announceLinks, answerOf, documentServer } from './document-server.ts';
import { wellKnownRoutes } from './well-known.ts';

const YEAR = 365 * 24 * 60 * 60;
const DAY = 24 * 60 * 60;

/** Stretching passphrases compiles WebAssembly, which no document may: this worker alone is allowed to. */
const WASM_WORKER = /\/argon2-worker[^/]*\.js$/;

/** What is part of a document, and never one. */
const SCRIPT_OR_STYLE = /\.(?:js|css)$/;

/** What visitors are shown by the app, and in which document: two of them know that nobody has signed in. */
const OF_THE_APP = new Map<string, DocumentName>([
  ['/thirteen-holders', 'thirteen-holders'],
  ['/whisper', 'whisper'],
  ['/shadow', 'app'],
  ['/test-verification', 'app'],
] satisfies [ScreenPath, DocumentName][]);

/** What everybody reads alike, whoever they are. */
const FOR_EVERYBODY = new Map<string, DocumentName>([
  [publicDocuments.help, 'help'],
  [publicDocuments.privacy, 'privacy'],
]);

/** What a system asks for that installs the app. */
const OF_THE_INSTALLED_APP = [
  '/app.webmanifest',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable-512.png',
  '/apple-touch-icon.png',
  '/screenshot-wide.png',
  '/screenshot-narrow.webp',
];

export interface DocumentParts {
  /** Whether anybody looks after this server. */
  hasAdministrator(deps: Deps): Promise<boolean>;
}

export function documentRoutes(app: Hono, deps: Deps, { hasAdministrator }: DocumentParts): void {
  const { root } = deps.web;
  const { serve, announce, landing, blackScroll } = documentServer(deps);

  // The build names assets after their content, so a name never means another one.
  app.use('/assets/*', asFile('/assets/*', `public, max-age=${YEAR}, immutable`));
  app.get('/assets/*', keptAssets(root));
  app.use('/assets/*', serveStatic({ root, precompressed: true }));
  for (const file of ['/favicon.svg', '/favicon.ico', '/robots.txt', ...OF_THE_INSTALLED_APP]) {
    app.get(file, asFile(file, `public, max-age=${DAY}`), serveStatic({ root }));
  }

  app.get(
    SERVICE_WORKER_PATH,
    asFile(SERVICE_WORKER_PATH, 'no-cache'),
    serveStatic({ root, precompressed: true }),
  );

  // The licence wants whoever uses this server to be able to get its source.
  const { sourceUrl } = deps.config;
  app.get(SOURCE_PATH, asFile(SOURCE_PATH, 'no-cache'), async (c, next) => {
    if (sourceUrl) return c.redirect(sourceUrl.href, 302);
    const archive = await serveStatic({ root, path: 'source.zip' })(c, next);
    // Where there is no such file, it has answered already as for every other path.
    if (archive instanceof Response)
      archive.headers.set('Content-Disposition', 'attachment; filename="latebra-source.zip"');
    return archive;
  });

  wellKnownRoutes(app, deps);

  app.get('*', async (c) => {
    const { path } = c.req;
    if (path.startsWith('/api/') || path.startsWith('/assets/')) throw new AppError('not-found');
    // Nothing else of what is here can be asked for on that origin.
    if (isAtCheckout(deps.config, c)) return serve(c, 'pay', 200);
    const linked = linkTemplate(path);
    if (linked) c.header('X-Robots-Tag', 'noindex');
    const here = siteStanding(deps.config, c);
    if (here instanceof URL) return c.redirect(here.href, 302);
    if (here === 'insecure') return serve(c, 'insecure-origin', 403);

    // Whoever follows a link is shown the same page as everybody. Fetching it asks the database nothing.
    if (linked) {
      const document = isSharePath(path) ? 'share' : 'app';
      if (document === 'app') announce(c, path, null);
      // What the document's script asks for first.
      else announceLinks(c, answerOf(sharePreload(path)));
      return serve(c, document, 200, linked);
    }
    const forEverybody = FOR_EVERYBODY.get(path);
    if (forEverybody) return serve(c, forEverybody, 200);
    const caller = await readSession(deps, c);
    const standing: Standing = caller ? (caller.onboarded ? 'member' : 'onboarding') : 'visitor';
    // Others find it while the set-up token is still to be entered there.
    const isShut = path === ADMINISTRATION_PATH && !caller?.isAdmin && (await hasAdministrator(deps));
    const status = hasScreen(path, standing, caller?.isAdmin) && !isShut ? 200 : 404;
    // Whoever is inside needs no gate, unless it has to tell them why something failed.
    if (path === '/enter' && !c.req.query('problem')) {
      if (caller) return c.redirect(safeReturn(c.req.query('return')), 302);
      // An invitation stands behind `#`: the page must take it from there before the provider's page is opened.
      const invited = c.req.query('invited') !== undefined;
      if (deps.config.oidc && !invited) return c.redirect(signInPath(c.req.query('return')), 302);
    }
    // The document for visitors has no script that would know its address: its link adds this to it.
    if (!caller && status === 404 && c.req.query(SIGN_IN_QUERY) !== undefined) {
      return c.redirect(signInPath(path), 302);
    }
    // Its doors are those of this server: where a provider decides, or something failed there, the app says so.
    const hasDoors = path === '/enter' && !caller && !deps.config.oidc && !c.req.query('problem');
    // Its script fetches the app, after it has shown them.
    if (hasDoors) return serve(c, 'enter', status, 'app');
    const document = caller || path === '/enter' ? 'app' : OF_THE_APP.get(path);
    if (document) {
      announce(c, path, caller ? account.user.path : null);
      // Members find the desk there before the app has come.
      return serve(c, path === '/' && standing === 'member' ? 'desk' : document, status, 'app');
    }
    if (path === '/black-scroll')
      return serve(c, 'black-scroll', status, 'black-scroll', await blackScroll());
    return status === 200
      ? serve(c, 'landing', status, 'landing', await landing())
      : serve(c, 'not-found', status);
  });
}

/** The pages that a link given or mailed to somebody leads to, by the name under which they are counted. */
function linkTemplate(path: string): string | null {
  if (isSharePath(path)) return '/share/{keyId}';
  if (isLegacyPath(path)) return '/legacy/{publicId}';
  if (isSheetsPath(path)) return '/sheets';
  return isStillHerePath(path) ? '/still-here' : null;
}

/** Where somebody signs in who is to be led to a path of this server afterwards. */
function signInPath(wanted: string | undefined): string {
  const path = safeReturn(wanted);
  return path === '/' ? account.login.path : `${account.login.path}?return=${encodeURIComponent(path)}`;
}

/** Where a one-time link's page asks how the link stands; null for what is no link's number. That opens nothing. */
function sharePreload(path: string): string | null {
  const keyId = /^\/share\/([\w-]{22})$/.exec(path)?.[1];
  return keyId === undefined ? null : shares.state.path.replace('{keyId}', keyId);
}

/** One range of bytes, as it is asked for. */
const ONE_RANGE = /^bytes=(?:\d+-\d*|-\d+)$/;

/**
 * Whoever asks for anything else, such as several ranges, gets the whole with 200, as the standard allows (RFC 9110,
 * 14.2): what sends files would call it a part. Nor does that know conditions on a range (13.1.5).
 */
function leaveOneRange(c: Context): void {
  const range = c.req.header('range');
  if (range === undefined) return;
  if (!ONE_RANGE.test(range) || c.req.header('if-range') !== undefined) c.req.raw.headers.delete('range');
}

/** Says how long a file may be kept, once there is one. */
function asFile(template: string, caching: string): MiddlewareHandler {
  return async (c, next) => {
    nameRoute(c, template);
    leaveOneRange(c);
    await next();
    if (!c.res.ok) return;
    c.res.headers.set('Cache-Control', caching);
    if (SCRIPT_OR_STYLE.test(c.req.path)) leaveOut(c, documentHeaders);
    if (WASM_WORKER.test(c.req.path)) c.res.headers.set('Content-Security-Policy', workerPolicy);
    if (c.req.path === SERVICE_WORKER_PATH) c.res.headers.set('Content-Security-Policy', serviceWorkerPolicy);
  };
}
