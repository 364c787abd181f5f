import { expect, test } from 'vitest';
import { numberBeside, numberOfKeptWhisper } from './number-beside.ts';

test('a number beside another is the same each time, as the document has it, and never that number', async () => {
  // By Python's hashlib, from docs/formats.md.
  const beside = 'P02VDujc3dBrpk9N56wvMQ';
  expect(await numberBeside('AAECAwQFBgcICQoLDA0ODw')).toBe(beside);
  expect(await numberBeside(beside)).not.toBe(beside);
});

test('a whisper that is kept has a number of its own, as the document has it', async () => {
  // By Python's hashlib, from docs/formats.md.
  expect(await numberOfKeptWhisper('AAECAwQFBgcICQoLDA0ODw')).toBe('5p9SdKGyy5q3n8qZiurFIQ');
});
