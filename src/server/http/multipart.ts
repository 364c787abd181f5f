// Reads the one file of a form (RFC 7578) out of its bytes. Strict: one part, under one name, and nothing around it. What
// the file is called, and what its sender says it is, are not looked at.

/** The longest head of a part, in bytes: its three headers, and a long name of a file. */
const HEAD_MAX = 4096;
/** How much larger than its file a form may be, in bytes: a boundary at either end, and the head. */
export const FORM_OVERHEAD = HEAD_MAX + 1024;

/** Characters of a boundary (RFC 2046, 5.1.1), without spaces, which no client uses. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'+.-]{1,70}))\s*(?:;|$)/i;

/** @returns null where a content type is not that of a form with files */
export function boundaryOf(contentType: string | undefined): string | null {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return null;
  const [, quoted, plain] = BOUNDARY.exec(contentType ?? '') ?? [];
  return quoted ?? plain ?? null;
}

const CRLF = '\r\n';

/**
 * @param field the name that the file's part must have
 * @returns a view of the file in `form`; `missing` where the form is whole and has no such file, or an empty one; `malformed`
 *   for everything else, more files than one among it
 */
export function fileOf(form: Buffer, boundary: string, field: string): Buffer | 'missing' | 'malformed' {
  const opening = `--${boundary}`;
  const closing = `${CRLF}--${boundary}`;
  // A form without any part is its last boundary alone.
  if (form.equals(Buffer.from(`${opening}--${CRLF}`)) || form.equals(Buffer.from(`${opening}--`)))
    return 'missing';
  if (!form.subarray(0, opening.length + 2).equals(Buffer.from(opening + CRLF))) return 'malformed';
  const headEnd = form.subarray(0, HEAD_MAX).indexOf(CRLF + CRLF, opening.length);
  if (headEnd < 0) return 'malformed';
  const begin = headEnd + 4;
  const end = form.indexOf(closing, begin);
  if (end < 0) return 'malformed';
  const rest = form.subarray(end + closing.length, end + closing.length + 5).toString('latin1');
  if (rest !== '--' && rest !== `--${CRLF}`) return 'malformed';
  const head = form.subarray(opening.length + 2, headEnd).toString('utf8');
  return isFileNamed(field, head) && end > begin ? form.subarray(begin, end) : 'missing';
}

/** Clients name the field before the file (RFC 7578, 4.2), so that nothing in a file's name can be taken for the field's. */
const DISPOSITION =
  /^content-disposition:\s*form-data\s*;\s*name=(?:"([^"\r\n]*)"|([^\s";]+))\s*;\s*filename\*?=/im;

function isFileNamed(field: string, head: string): boolean {
  const [, quoted, plain] = DISPOSITION.exec(head) ?? [];
  return (quoted ?? plain) === field;
}
