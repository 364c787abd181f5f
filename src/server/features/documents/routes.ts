// Pages and assets. Which document somebody gets depends on who they are; what is inside a vault never stands in one.
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, Hono } from 'hono';
import { hasScreen, type Standing } from '../../../shared/screens.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { documentPolicy, workerPolicy } from '../../http/security-headers.ts';
import { readSession } from '../../http/session.ts';
import { isSecure, standing as siteStanding } from '../../http/site.ts';
import type { DocumentName } from './web-files.ts';

const YEAR = 365 * 24 * 60 * 60;

/** Stretching passphrases compiles WebAssembly, which no document may: this worker alone is allowed to. */
const WASM_WORKER = /\/argon2-worker[^/]*\.js$/;

export function documentRoutes(app: Hono, deps: Deps): void {
  app.use(
    '/assets/*',
    serveStatic({
      root: deps.web.root,
      precompressed: true,
      onFound: (path, c) => {
        c.header('Cache-Control', `public, max-age=${YEAR}, immutable`);
        if (WASM_WORKER.test(path.replace(/\.(?:br|gz)$/, '')))
          c.header('Content-Security-Policy', workerPolicy);
      },
    }),
  );
  app.on(
    ['GET', 'HEAD'],
    ['/favicon.svg', '/robots.txt'],
    serveStatic({
      root: deps.web.root,
      onFound: (_, c) => c.header('Cache-Control', 'public, max-age=86400'),
    }),
  );

  app.get('*', async (c) => {
    const { path } = c.req;
    if (path.startsWith('/api/') || path.startsWith('/assets/')) throw new AppError('not-found');
    const here = siteStanding(deps.config, c);
    if (here instanceof URL) return c.redirect(here.href, 302);
    if (here === 'insecure') return serve(c, 'insecure-origin', 403);

    const caller = await readSession(deps, c);
    const standing: Standing = caller ? (caller.onboarded ? 'resident' : 'initiate') : 'visitor';
    const status = hasScreen(path, standing) ? 200 : 404;
    // Whoever is inside needs no gate, unless it has to tell them why something failed.
    if (caller && path === '/enter' && !c.req.query('problem')) return c.redirect('/', 302);
    if (caller) return serve(c, 'app', status);
    if (path === '/enter') return serve(c, 'app', status);
    return serve(c, status === 200 ? 'landing' : 'not-found', status);
  });

  function serve(c: Context, name: DocumentName, status: 200 | 403 | 404): Response {
    const document = deps.web.documents[name];
    c.header('Content-Type', 'text/html; charset=utf-8');
    c.header('Content-Security-Policy', documentPolicy(document.styleHashes, isSecure(deps.config)));
    // The same path is another page before and after signing in, so no cache may answer for the server.
    c.header('Cache-Control', 'no-store');
    c.header('Vary', 'Accept-Encoding');
    const accepted = c.req.header('accept-encoding') ?? '';
    if (/\bbr\b/.test(accepted)) {
      c.header('Content-Encoding', 'br');
      return c.body(new Uint8Array(document.brotli), status);
    }
    if (/\bgzip\b/.test(accepted)) {
      c.header('Content-Encoding', 'gzip');
      return c.body(new Uint8Array(document.gzip), status);
    }
    return c.body(new Uint8Array(document.plain), status);
  }
}
