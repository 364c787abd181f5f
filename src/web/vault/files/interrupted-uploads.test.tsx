// Uploads that are cut off at any moment and go on in another page, with the same file or with one that was changed meanwhile: no
// place of a ciphertext ever leaves with two contents. What has left is noted on the line, whatever becomes of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64Url } from '../../../crypto/base64.ts';
import { FileChangedError, markOf, newFile } from '../../../crypto/file.ts';
import { MINUTE } from '../../../shared/time.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import { openFile } from '../../../vault/files/download.ts';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { createSealing } from '../../../vault/files/sealed-blocks.ts';
import type { SealedSoFar } from '../../../vault/files/sealed-in-order.ts';
import { uploadFile } from '../../../vault/files/upload.ts';
import { createApiClient } from '../../api/client.ts';
import { createFileServer, noPause } from '../../testing/file-server.ts';
import { ORIGIN } from '../../testing/origin.ts';

const SEGMENT = 64;
const steps = { small: 16, segment: SEGMENT };
const bytesOfPart = (halvings: number) => (2 * (SEGMENT + 16)) / 2 ** halvings;
const LENGTH = 4 * SEGMENT + 5;

interface Visit {
  /** At which step the page goes, of its calls and of what it keeps, and whether that still happens; null for a page that stays. */
  goes: { at: number; happens: boolean } | null;
  /** Which byte of the file is another one from then on; null for none. */
  changes: number | null;
  /** What the server says of the parts that it has. */
  says: 'what is so' | 'that it has none' | 'that it lacks one' | 'that it has one more';
}

const visits: fc.Arbitrary<Visit[]> = fc.array(
  fc.record({
    goes: fc.option(fc.record({ at: fc.nat({ max: 9 }), happens: fc.boolean() }), { freq: 8 }),
    changes: fc.option(fc.nat({ max: LENGTH - 1 }), { freq: 2 }),
    says: fc.constantFrom('what is so', 'that it has none', 'that it lacks one', 'that it has one more'),
  }),
  { minLength: 2, maxLength: 4 },
);

/** A disk takes longer than a line, so that what does not wait for it is found. */
async function slowly(): Promise<void> {
  for (let turns = 0; turns < 4; turns += 1) await markOf(new Uint8Array());
}

class PageGone extends Error {}

/** The steps of one page. What it does once it has gone happens no more, and it hears of nothing. */
function stepsOf({ goes }: Visit) {
  let count = 0;
  return async function step<T>(work: () => Promise<T>): Promise<T> {
    const at = count++;
    if (goes && (at > goes.at || (at === goes.at && !goes.happens))) throw new PageGone();
    const done = await work();
    if (at === goes?.at) throw new PageGone();
    return done;
  };
}

/** An answer of what is there, as the server would have it. */
async function as(says: Visit['says'], answer: Response): Promise<Response> {
  if (says === 'what is so' || !answer.ok) return answer;
  const state = await answer.json();
  const parts = Array.from(
    { length: Math.ceil(state.bytes / bytesOfPart(state.halvings)) },
    (_, part) => part,
  );
  const has = parts.filter((part) => !state.missing.includes(part));
  const missing = {
    'that it has none': parts,
    'that it lacks one': [...state.missing, ...has.slice(-1)],
    'that it has one more': state.missing.slice(1),
  }[says];
  return Response.json({ ...state, missing });
}

/** One browser with a disk, its server, and a file that somebody may write in meanwhile. */
function aWorld(bodyMax: number) {
  const server = createFileServer({ bytesOfPart, bodyMax });
  const content = Uint8Array.from({ length: LENGTH }, (_, i) => (i * 31 + (i >> 3)) & 255);
  const disk = new Map<string, SealedSoFar>();
  /** What has left for each byte of each ciphertext, whatever became of it. */
  const left = new Map<string, number[]>();
  const twice: string[] = [];
  let begun = newFile();

  server.meetWith(async (asked, request) => {
    const [, part] = /^PUT parts (\d+)$/.exec(asked) ?? [];
    const id = new URL(request.url).pathname.split('/')[3] ?? '';
    const file = server.files.get(id);
    if (part === undefined || !file) return undefined;
    const before = left.get(id) ?? [];
    left.set(id, before);
    for (const [i, byte] of new Uint8Array(await request.clone().arrayBuffer()).entries()) {
      const at = Number(part) * bytesOfPart(file.halvings) + i;
      if ((before[at] ?? byte) !== byte) twice.push(`${id}, byte ${at}`);
      before[at] = byte;
    }
    return undefined;
  });

  async function visit(now: Visit): Promise<'sent' | 'gone' | 'refused'> {
    if (now.changes !== null) content[now.changes] = (content[now.changes] ?? 0) ^ 1;
    const step = stepsOf(now);
    const api = createApiClient({
      fetch: (input, init) =>
        step(async () => {
          const answer = await server.answer(new Request(new URL(String(input), ORIGIN), init));
          return init?.method === 'PUT' ? answer : as(now.says, answer);
        }),
    });
    // As the queue of a form has it: a number of which the disk knows nothing is not used again.
    const sealed = disk.get(begun.id) ?? null;
    if (sealed === null) begun = newFile();
    const { id } = begun;
    try {
      const root = await uploadFile(
        { api, user: { id: 'u1' } as never },
        new Blob([content.slice()]),
        { ...begun, sealed },
        {
          ...{
            signal: new AbortController().signal,
            pause: noPause,
            steps,
            bytesOfPart,
            onProgress: () => {},
            seal: createSealing(),
          },
          keepSealed: async (soFar) => {
            await slowly();
            await step(async () => void disk.set(id, soFar));
          },
        },
      );
      if (now.says === 'what is so') await expectWhole(root);
      return 'sent';
    } catch (error) {
      if (error instanceof PageGone) return 'gone';
      if (error instanceof FileChangedError || error instanceof ApiError) return 'refused';
      throw error;
    }
  }

  async function expectWhole(root: string) {
    const file = { ...begun, bytes: LENGTH, root: fromBase64Url(root) };
    const { signal } = new AbortController();
    const opened = await openFile(ownFiles(server.vault()), file, '', { signal, pause: noPause, steps });
    expect(new Uint8Array(await opened.arrayBuffer())).toEqual(content);
  }
  return { visit, twice };
}

test('whenever a page goes, whatever the file becomes and the server says, nothing leaves with two contents', {
  timeout: 5 * MINUTE,
}, async () => {
  const count = { sent: 0, gone: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(visits, fc.constantFrom(Infinity, 100, 50), async (all, bodyMax) => {
      const { visit, twice } = aWorld(bodyMax);
      for (const now of all) count[await visit(now)] += 1;
      expect(twice).toEqual([]);
    }),
    { numRuns: 250 },
  );
  // Each of them has happened often enough to be meant.
  expect(Math.min(...Object.values(count))).toBeGreaterThan(40);
});
