import { expect, test } from 'vitest';
import { numberBeside } from './number-beside.ts';

test('a number beside another is the same each time, as the document has it, and never that number', async () => {
  // By Python's hashlib, from docs/formats.md.
  const beside = 'P02VDujc3dBrpk9N56wvMQ';
  expect(await numberBeside('AAECAwQFBgcICQoLDA0ODw')).toBe(beside);
  expect(await numberBeside(beside)).not.toBe(beside);
});
