import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { numberBeside } from './number-beside.ts';

/** As docs/formats.md has it, by Node's own hash. */
function byTheDocument(sealId: string): string {
  const fields = ['latebra/v1/number-beside', sealId].map((text) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  });
  const hash = createHash('sha256').update(Buffer.concat(fields)).digest();
  return hash.subarray(0, 16).toString('base64url');
}

test('a number beside another is the same each time, as the document says, and never that number', async () => {
  const sealId = 'AAECAwQFBgcICQoLDA0ODw';
  const beside = await numberBeside(sealId);
  expect(beside).toBe(byTheDocument(sealId));
  expect(beside).toMatch(/^[A-Za-z0-9_-]{21}[AQgw]$/);
  expect(await numberBeside(sealId)).toBe(beside);
  expect(await numberBeside(beside)).not.toBe(beside);
});
