// Files as a browser sends them: a number, bytes that nobody can read, and parts with their digests.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { PART_DIGEST_HEADER, partBytes, partsOf } from '../shared/file-limits.ts';
import type { FileState } from '../shared/nouns/files.ts';
import type { Requester, TestInstance } from './instance.ts';
import { aSealId } from './planting.ts';

interface Sending {
  request: Requester;
}

export interface TestFile {
  fileId: string;
  content: Buffer;
  halvings: number;
}

/** In the smallest parts, so that a file of many parts is small. */
export const aFile = (bytes: number, halvings = 5): TestFile => ({
  fileId: randomBytes(16).toString('base64url'),
  content: randomBytes(bytes),
  halvings,
});

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');
export const partOf = ({ content, halvings }: TestFile, part: number): Buffer =>
  content.subarray(part * partBytes(halvings), (part + 1) * partBytes(halvings));

export const reserve = ({ request }: Sending, { fileId, content, halvings }: TestFile) =>
  request('POST', '/api/files', { body: { fileId, bytes: content.length, halvings } });

/** @param sent what is sent in place of the part, and under which digest */
export function putPart(
  { request }: Sending,
  file: TestFile,
  part: number,
  sent: { bytes?: Uint8Array; digest?: string } = {},
): Promise<Response> {
  const bytes = sent.bytes ?? partOf(file, part);
  return request('PUT', `/api/files/${file.fileId}/parts/${part}`, {
    body: bytes,
    headers: {
      'content-type': 'application/octet-stream',
      [PART_DIGEST_HEADER]: sent.digest ?? digestOf(bytes),
    },
  });
}

export const complete = ({ request }: Sending, { fileId }: TestFile, sealId: string) =>
  request('POST', `/api/files/${fileId}/complete`, { body: { sealId } });

export const read = ({ request }: Sending, { fileId }: TestFile, headers: Record<string, string> = {}) =>
  request('GET', `/api/files/${fileId}/bytes`, { headers });

export const stateOf = async ({ request }: Sending, { fileId }: TestFile): Promise<FileState> =>
  (await (await request('GET', `/api/files/${fileId}`)).json()) as FileState;

/** Sends a whole file, and gives it to an entry. */
export async function sendFile(
  person: Sending,
  file: TestFile = aFile(1000),
  sealId = aSealId(),
): Promise<TestFile & { sealId: string }> {
  const answers = [await reserve(person, file)];
  for (let part = 0; part < partsOf(file.content.length, file.halvings); part += 1) {
    answers.push(await putPart(person, file, part));
  }
  answers.push(await complete(person, file, sealId));
  const failed = answers.find(({ ok }) => !ok);
  if (failed) throw new Error(`a file was refused: ${failed.status} ${await failed.text()}`);
  return { ...file, sealId };
}

/** The names of everything in the store of a server. */
export const storedBy = ({ filesFolder }: Pick<TestInstance, 'filesFolder'>): string[] =>
  existsSync(filesFolder)
    ? readdirSync(filesFolder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
