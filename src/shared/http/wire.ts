// The building blocks that many schemas share: times, identifiers, encodings, pages.
import * as z from 'zod/mini';
import { clear, open } from './field-classes.ts';

export const BASE64URL = /^[A-Za-z0-9_-]+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** Times on the wire are ISO 8601 in UTC; a client may send any offset that stays within years of four digits. */
export const timestamp = z.iso.datetime({ offset: true, error: 'This is not a date and time.' }).check(
  // A fraction of a second could have any number of digits.
  z.maxLength(64, 'This is not a date and time.'),
  z.refine((value) => {
    const moment = Date.parse(value);
    return moment >= FIRST_MOMENT && moment <= LAST_MOMENT;
  }, 'This is not a date and time.'),
);

/** Base64url without padding, of exactly `bytes` bytes. */
export function base64url(bytes: number) {
  const length = Math.ceil((bytes * 4) / 3);
  return z
    .string()
    .check(
      z.length(length, { error: 'This has the wrong length.', abort: true }),
      z.regex(BASE64URL, 'This is not base64url.'),
    );
}

/** Standard base64, at most `max` characters. */
export function base64(max: number) {
  return z
    .string()
    .check(
      z.minLength(4),
      z.maxLength(max, { error: 'This is too long.', abort: true }),
      z.regex(BASE64, 'This is not base64.'),
    );
}

/** First 16 hex characters of SHA-256 over the vault key (docs/formats.md). */
export const fingerprint = z
  .string()
  .check(
    z.maxLength(16, 'This is not a fingerprint.'),
    z.regex(/^[0-9a-f]{16}$/, 'This is not a fingerprint.'),
  );

/** A vault's public address for sealing: an age recipient of its post-quantum kind. */
export const ageRecipient = z
  .string()
  .check(z.maxLength(3008, { abort: true }), z.regex(/^age1pq1[a-z0-9]{20,3000}$/));

export const entryId = clear('entry numbers', z.int().check(z.positive()));
export const createdAt = clear('when an entry was sealed', timestamp);
export const updatedAt = clear('when an entry was last changed', timestamp);
export const version = clear(
  'how often an entry was changed',
  z.int().check(z.positive(), z.maximum(2 ** 31 - 1)),
);

/** What the browser adds to every sealed row: which seal and which key (absent from clients that know neither). */
export const sealFields = {
  sealId: z.nullish(open('a random number that ties a row to its seal', base64url(16))),
  keyFingerprint: z.nullish(open('which key sealed a row', fingerprint)),
};

/** The same two fields in an answer, where they are always present. */
export const sealReply = {
  sealId: z.nullable(open('a random number that ties a row to its seal', base64url(16))),
  keyFingerprint: z.nullable(open('which key sealed a row', fingerprint)),
};

export const PAGE_MAX = 500;

/** `?limit` and `?before` of every list; `before` is the id of the last row seen. Without a limit a list answers all of it. */
export const pageQuery = z.object({
  limit: z.optional(
    clear(
      'how long a page of a list is',
      z.coerce.number().check(z.int('limit is a whole number.'), z.minimum(1), z.maximum(PAGE_MAX)),
    ),
  ),
  before: z.optional(
    clear(
      'where a page of a list begins',
      z.coerce.number().check(z.int('before is an entry number.'), z.positive()),
    ),
  ),
});
