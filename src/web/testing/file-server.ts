// The calls of files, answered in this process from memory: for tests of the engine, with parts of a few bytes and every mishap.
import { createHash } from 'node:crypto';
import { PART_DIGEST_HEADER, partBytes } from '../../shared/file-limits.ts';
import type { fileSchema } from '../../shared/nouns/files.ts';
import { createApiClient } from '../api/client.ts';
import { ORIGIN } from './origin.ts';

interface KeptFile {
  bytes: number;
  halvings: number;
  parts: Map<number, Uint8Array>;
  sealId: string | null;
}

interface FileServerOptions {
  bytesOfPart?: (halvings: number) => number;
  /** The largest body that something on the way takes. */
  bodyMax?: number;
}

const problem = (status: number, code: string, message = code) =>
  new Response(JSON.stringify({ code, message }), { status });

/** Each request before it is answered; what it returns is the answer. */
export type Mishap = (
  asked: string,
  request: Request,
) => Promise<Response | undefined> | Response | undefined;

export function createFileServer({ bytesOfPart = partBytes, bodyMax = Infinity }: FileServerOptions = {}) {
  const files = new Map<string, KeptFile>();
  /** Method and path of every request, the number of its file left out. */
  const asked: string[] = [];
  let mishap: Mishap = () => undefined;

  function stateOf(fileId: string, file: KeptFile) {
    const count = Math.ceil(file.bytes / bytesOfPart(file.halvings));
    const missing = Array.from({ length: count }, (_, part) => part).filter((part) => !file.parts.has(part));
    const { bytes, halvings, sealId } = file;
    return Response.json({
      fileId,
      bytes,
      halvings,
      sealId,
      isWhole: sealId !== null,
      missing,
    } satisfies ReturnType<typeof fileSchema.parse>);
  }

  function whole(file: KeptFile): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(file.bytes);
    for (const [part, piece] of file.parts) {
      const at = part * bytesOfPart(file.halvings);
      bytes.set(piece.subarray(0, Math.max(0, file.bytes - at)), Math.min(at, file.bytes));
    }
    return bytes;
  }

  async function reserve(request: Request): Promise<Response> {
    const { fileId, bytes, halvings } = await request.json();
    const before = files.get(fileId);
    if (before && before.halvings === halvings) return stateOf(fileId, before);
    const file = { bytes, halvings, parts: new Map(), sealId: null };
    files.set(fileId, file);
    return stateOf(fileId, file);
  }

  async function putPart(request: Request, file: KeptFile, part: number): Promise<Response> {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > bodyMax) return new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 });
    const digest = createHash('sha256').update(bytes).digest('base64url');
    if (digest !== request.headers.get(PART_DIGEST_HEADER)) return problem(422, 'wrong-digest');
    file.parts.set(part, bytes);
    return new Response(null, { status: 204 });
  }

  function read(request: Request, file: KeptFile): Response {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? [];
    const bytes = whole(file).slice(Number(from), Number(to) + 1);
    if (bytes.length === 0) return problem(416, 'range-not-satisfiable');
    const headers = { 'content-range': `bytes ${from}-${Number(from) + bytes.length - 1}/${file.bytes}` };
    return new Response(bytes, { status: 206, headers });
  }

  async function answer(request: Request): Promise<Response> {
    const [, , , fileId = '', what = '', part = ''] = new URL(request.url).pathname.split('/');
    const name = [request.method, what, part].filter((word) => word !== '').join(' ');
    asked.push(name);
    const instead = await mishap(name, request);
    if (instead) return instead;
    if (fileId === '') return reserve(request);
    const file = files.get(fileId);
    if (!file)
      return request.method === 'DELETE' ? new Response(null, { status: 204 }) : problem(404, 'not-found');
    if (what === 'parts') return putPart(request, file, Number(part));
    if (what === 'bytes') return read(request, file);
    if (request.method === 'DELETE') {
      files.delete(fileId);
      return new Response(null, { status: 204 });
    }
    if (what === 'complete') {
      const count = Math.ceil(file.bytes / bytesOfPart(file.halvings));
      if (file.parts.size < count) return problem(409, 'file-incomplete');
      file.sealId = (await request.json()).sealId;
    }
    return stateOf(fileId, file);
  }

  const server = {
    files,
    asked,
    answer,
    /** Whether a request is for this server. */
    knows: (request: Request) => new URL(request.url).pathname.startsWith('/api/files'),
    whole: (fileId: string) => whole(files.get(fileId) ?? raise(fileId)),
    /** Puts something between the page and the answers. */
    meetWith(next: Mishap) {
      mishap = next;
    },
    /** A page's line to it, for an account that it does not look at. */
    vault: () => ({
      api: createApiClient({
        fetch: (input, init) => answer(new Request(new URL(String(input), ORIGIN), init)),
      }),
      user: { id: 'u1' } as never,
    }),
  };
  return server;
}

function raise(fileId: string): never {
  throw new Error(`the server has no file ${fileId}`);
}

/** Lets what is under way go on, without waiting for a clock. */
export const noPause = async (): Promise<void> => {};
