// Pages of other instances that may make calls here: those of listed sisters, and three calls alone, which look at nobody's
// session (docs/sisters.md). Everything else stays closed to them, and these calls to everybody else.
import type { Context, MiddlewareHandler } from 'hono';
import { sisters } from '../../shared/nouns/sisters.ts';
import type { Config } from '../config.ts';
import { addHeader } from './answer.ts';

type Listed = Pick<Config, 'sisters'>;

/** What an author's browser asks its letters' sisters, and a recipient's asks the others. */
const PATHS: ReadonlySet<string> = new Set([sisters.challenge.path, sisters.sign.path, sisters.open.path]);
const KEPT_FOR = String(10 * 60);

/** The listed instance whose page makes one of the calls that it may make; null for anything else. */
export function sisterPage({ sisters: listed }: Listed, { req }: Context): string | null {
  const from = req.header('origin');
  const isCall = PATHS.has(req.path) && (req.method === 'POST' || req.method === 'OPTIONS');
  return isCall && from !== undefined && listed.some(({ origin }) => origin === from) ? from : null;
}

/** Lets these pages read the answers, without credentials (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function letSistersRead(config: Listed): MiddlewareHandler {
  return async (c, next) => {
    const from = sisterPage(config, c);
    if (from === null) return next();
    addHeader(c, 'Access-Control-Allow-Origin', from);
    addHeader(c, 'Vary', 'Origin');
    if (c.req.method !== 'OPTIONS') return next();
    addHeader(c, 'Access-Control-Allow-Methods', 'POST');
    addHeader(c, 'Access-Control-Allow-Headers', 'content-type');
    addHeader(c, 'Access-Control-Max-Age', KEPT_FOR);
    return c.body(null, 204);
  };
}
