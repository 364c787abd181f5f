// Files that belong to entries, letters and one-time links: photographs, recordings, documents. The server keeps bytes that the
// browser has sealed, in parts, and knows of a file only its number, its size, and what it belongs to. What it is called, what it
// is, and its key stand sealed in the entry's details or in the letter (docs/formats.md, "File").
import * as z from 'zod/mini';
import { FILE_BYTES_MAX, PART_BYTES, PART_HALVINGS_MAX, PARTS_MAX } from '../file-limits.ts';
import { call } from '../http/call.ts';
import { clear, open } from '../http/field-classes.ts';
import { base64url } from '../http/wire.ts';

const fileId = open('a random number that names a sealed file', base64url(16));
const sealId = open('a random number that ties a row to its seal', base64url(16));
export const bytes = clear(
  'how large a sealed file is',
  z.int().check(z.positive(), z.maximum(FILE_BYTES_MAX)),
);
export const halvings = clear(
  'in how large parts a file is sent',
  z.int().check(z.minimum(0), z.maximum(PART_HALVINGS_MAX)),
);
const partNumber = z.int().check(z.minimum(0), z.maximum(PARTS_MAX - 1));

/** A file as far as the server knows it. */
export const fileSchema = z.object({
  fileId,
  bytes,
  halvings,
  /** The entry, letter or link that it belongs to; null until it is whole. */
  sealId: z.nullable(sealId),
  isWhole: clear('whether all of a file has arrived', z.boolean()),
  /** The numbers of the parts that have not arrived, from 0; none of a whole file. */
  missing: z.array(clear('which parts of a file have not arrived', partNumber)),
});
export type FileState = z.output<typeof fileSchema>;

export const files = {
  /**
   * Reserves room for a file whose number the browser has drawn: its bytes count as stored from now on. Again with the same
   * number and size it answers what is there, and its time begins anew: so one is kept that a draft waits with. With other `halvings` it begins anew, unless the file is whole. 409
   * `file-reserved` where the number has another size, 413 `quota-bytes` and 409 `quota-rows` where the vault is full. What lacks parts two days after its last one is erased, and thirty days later what has all of
   * them and belongs to no entry.
   */
  reserve: call({
    method: 'POST',
    path: '/api/files',
    access: 'signed-in',
    limited: 'files',
    body: z.object({ fileId, bytes, halvings }),
    reply: fileSchema,
  }),
  /** What has arrived. */
  get: call({ method: 'GET', path: '/api/files/{fileId}', access: 'signed-in', reply: fileSchema }),
  /**
   * One part, in any order, and again where an answer was lost: 204 once it is on the disk. What is sent under its number
   * with another digest takes its place. 422 `wrong-digest` where the bytes are not those that the header names, 422
   * `wrong-part` where they are more or fewer than the part has, 409 `file-whole` for other bytes of a whole file, 429
   * `too-many` for more than `PARTS_AT_ONCE`, 503 `busy` where too many of others come, 400 `too-slow`.
   */
  putPart: call({
    method: 'PUT',
    path: '/api/files/{fileId}/parts/{part}',
    access: 'signed-in',
    status: 204,
    rawBody: {
      type: 'application/octet-stream',
      maxBytes: PART_BYTES,
      streamed: true,
      class: 'sealed',
      says: 'photographs, recordings and other files',
    },
  }),
  /**
   * Says that the file is whole and belongs to the entry of a seal number, which need not be there yet. Again with another
   * one: it belongs to that one. 409 `file-incomplete` while a part is missing, 409 `files-full` where the entry has
   * `FILES_OF_SEAL_MAX` others already, 403 `proof-needed` where it would leave a letter that watches or was released without a fresh
   * proof. What belongs to no entry thirty days later is erased, and so is what belongs to an entry that is erased.
   */
  complete: call({
    method: 'POST',
    path: '/api/files/{fileId}/complete',
    access: 'signed-in',
    body: z.object({ sealId }),
    reply: fileSchema,
  }),
  /**
   * The ciphertext of a whole file, or a range of it. 409 `file-incomplete` until it is whole, 429 `too-many` for more than a few
   * at a time, 503 `busy` where too many of others are being read. An answer that nobody takes any more is cut off.
   */
  read: call({
    method: 'GET',
    path: '/api/files/{fileId}/bytes',
    access: 'signed-in',
    file: { class: 'sealed', says: 'photographs, recordings and other files' },
  }),
  /**
   * The same of a file that a one-time link carries, or a range of it, for the browser that has broken the link's seal: the
   * header `REDEMPTION_HEADER` has the `redemptionId` of `shares.redeem`. Nothing is used up, however often and in however
   * many ranges it is read. 404 `not-found` for everybody else, and `FILES_LEASE` after the opening.
   */
  readByLink: call({
    method: 'GET',
    path: '/api/shares/{keyId}/files/{fileId}',
    access: 'anyone',
    file: { class: 'sealed', says: 'photographs, recordings and other files' },
  }),
  /**
   * The same of a file of a letter, for whoever may open the letter by a card or a passphrase: the header `CLAIM_HEADER` has the
   * `claim` of `legacy.open`. 404 `not-found` for everybody else, before the release, and once the letter is gone. A wrong
   * passphrase counts as a guess at the letter's; without the file's number, which is sealed in the letter, nothing is told and nothing
   * counts. 429 `too-many`.
   */
  readByLetter: call({
    method: 'GET',
    path: '/api/legacy/{publicId}/files/{fileId}',
    access: 'anyone',
    limited: 'guesses',
    file: { class: 'sealed', says: 'photographs, recordings and other files' },
  }),
  /** The same of a file of a whisper, for the vault that it was left for. */
  readByWhisper: call({
    method: 'GET',
    path: '/api/whispers/{publicId}/files/{fileId}',
    access: 'signed-in',
    file: { class: 'sealed', says: 'photographs, recordings and other files' },
  }),
  /**
   * Erases it, also for one-time links that carry it. 404 `not-found` for one that is not there, also where it was erased
   * before; 403 `proof-needed` for one of a letter that watches or was released, without a fresh proof.
   */
  remove: call({
    method: 'DELETE',
    path: '/api/files/{fileId}',
    access: 'signed-in',
    limited: 'files',
    status: 204,
  }),
};
