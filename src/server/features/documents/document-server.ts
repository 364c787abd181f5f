// Answers documents: with their headers, as the client takes them encoded, and with what the browser is to fetch beside them.
import type { Context } from 'hono';
import { GATHERING_THRESHOLD } from '../../../shared/nouns/holders.ts';
import type { Deps } from '../../deps.ts';
import { nameRoute } from '../../http/observe.ts';
import {
  appPermissions,
  documentPolicy,
  paymentHeaders,
  paymentPolicy,
} from '../../http/security-headers.ts';
import { isSecure } from '../../http/site.ts';
import type { Document, DocumentName } from '../../web-files.ts';
import { fillGathering } from './gathering-line.ts';

/** Whether a client takes an encoding: it names it, and not with a weight of nothing (RFC 9110, 12.5.3). */
export function acceptsEncoding(header: string | undefined, encoding: string): boolean {
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...weights] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (name === encoding) return !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight));
  }
  return false;
}

/** How documents are answered, with their headers, and the two that show how the gathering stands. */
export function documentServer(deps: Deps) {
  const { documents, gathering, preloads } = deps.web;

  /** Tells the browser what the app will fetch first: its own files, an answer of the API, and the modules of the screen. */
  function announce(c: Context, path: string, first: string | null): void {
    // In this order, as a browser may fetch only six at a time, and nothing begins without the app's own.
    const own = filesOf('app').map(announced);
    const ofScreen = filesOf(segmentOf(path)).map(announced);
    announceLinks(c, [...own, ...answerOf(first), ...ofScreen]);
  }

  const filesOf = (part: string) => (Object.hasOwn(preloads, part) ? (preloads[part] ?? []) : []);

  /** The landing page with the wheel as it stands; the plain one while it is not known. */
  async function landing(): Promise<Document> {
    // A page that asks for nothing else shows itself also while the database is away, or hangs.
    const holders = await deps.holders.readSoon();
    const drawn = holders && gathering[Math.min(holders.count, GATHERING_THRESHOLD)];
    return drawn ?? documents.landing;
  }

  /** The black scroll with the gathering as it stands; made once for each count. */
  const scrolls = new Map<number | null, Promise<Document>>();
  async function blackScroll(): Promise<Document> {
    const { mint } = deps.holders;
    const count = mint === null ? null : ((await deps.holders.readSoon())?.count ?? null);
    const filled = scrolls.get(count) ?? fillGathering(documents['black-scroll'], count, mint);
    // The last count alone is kept: the others will hardly come again.
    if (!scrolls.has(count)) scrolls.clear();
    scrolls.set(count, filled);
    filled.catch(() => scrolls.delete(count));
    return filled;
  }

  const policies = new Map(
    [...Object.values(documents), ...gathering].map((document) => [
      document,
      document === documents.pay
        ? paymentPolicy(document.styleHashes, isSecure(deps.config))
        : documentPolicy(
            document.styleHashes,
            isSecure(deps.config),
            // Authors, and recipients of letters, are shown these documents alone.
            [documents.app, documents.desk].includes(document)
              ? deps.config.sisters.map(({ origin }) => origin)
              : [],
          ),
    ]),
  );

  function serve(
    c: Context,
    name: DocumentName,
    status: 200 | 403 | 404,
    label: string = name,
    document: Document = documents[name],
  ): Response {
    nameRoute(c, label);
    c.header('Content-Type', 'text/html; charset=utf-8');
    c.header('Content-Security-Policy', policies.get(document) ?? policies.get(documents[name]));
    if (label === 'app' || name === 'app') c.header('Permissions-Policy', appPermissions);
    if (name === 'pay') for (const [header, value] of Object.entries(paymentHeaders)) c.header(header, value);
    // The same path is another page before and after signing in, so no cache may answer for the server.
    c.header('Cache-Control', 'no-store');
    c.header('Vary', 'Accept-Encoding');
    const accepted = c.req.header('accept-encoding');
    if (acceptsEncoding(accepted, 'br')) {
      c.header('Content-Encoding', 'br');
      return c.body(document.brotli, status);
    }
    if (acceptsEncoding(accepted, 'gzip')) {
      c.header('Content-Encoding', 'gzip');
      return c.body(document.gzip, status);
    }
    return c.body(document.plain, status);
  }

  return { serve, announce, landing, blackScroll };
}

/** How a document names a file that it needs: as its own element for it does, or the browser would fetch it twice. */
const announced = (file: string) =>
  file.endsWith('.css') ? `<${file}>; rel=preload; as=style; crossorigin` : `<${file}>; rel=modulepreload`;

/** How a document names an answer of the API that its script will ask for: as `fetch` sends it with `credentials: 'include'`. */
export const answerOf = (address: string | null): string[] =>
  address === null ? [] : [`<${address}>; rel=preload; as=fetch; crossorigin=use-credentials`];

export function announceLinks(c: Context, links: string[]): void {
  if (links.length > 0) c.header('Link', links.join(', '));
}

const segmentOf = (path: string) => /^\/[^/%]*/.exec(path)?.[0] ?? '/';
