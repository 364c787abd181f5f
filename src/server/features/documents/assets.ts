// The files of the app as most browsers take them, kept in memory once they were asked for. A first page asks for many at once, and
// looking for each on the disk, in each encoding, holds the others up.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { acceptsEncoding } from './document-server.ts';

/** The build makes no name of anything else. */
const NAME = /^\/assets\/([\w-][\w.-]*)$/;
/** In bytes: what is larger, such as a dictionary, is wanted by few. */
const KEPT_MAX = 128 * 1024;

interface Kept {
  bytes: Uint8Array<ArrayBuffer>;
  isCompressed: boolean;
}

/** Reads a file as it is sent. @returns null where it is not there, or too large to be kept */
async function read(path: string): Promise<Kept | null> {
  for (const isCompressed of [true, false]) {
    const file = isCompressed ? `${path}.br` : path;
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) continue;
    return found.size > KEPT_MAX ? null : { bytes: new Uint8Array(await readFile(file)), isCompressed };
  }
  return null;
}

/** Answers what it has; all else is for what comes after it: ranges, other encodings, large files, names that mean nothing. */
export function keptAssets(root: string): MiddlewareHandler {
  const kept = new Map<string, Kept>();
  return async (c, next) => {
    const [, name] = NAME.exec(c.req.path) ?? [];
    const accepts = acceptsEncoding(c.req.header('accept-encoding'), 'br');
    if (name === undefined || !accepts || c.req.header('range') !== undefined) return next();
    const file = kept.get(name) ?? (await read(join(root, 'assets', name)));
    if (!file) return next();
    kept.set(name, file);
    c.header('Content-Type', getMimeType(name) ?? 'application/octet-stream');
    c.header('Vary', 'Accept-Encoding');
    if (file.isCompressed) c.header('Content-Encoding', 'br');
    return c.body(file.bytes);
  };
}
