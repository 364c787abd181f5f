// The generated documents say what the code says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generateDocs } from './generate-docs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = await generateDocs();

test.each([...documents])('%s is fresh; if not, run "npm run docs"', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test('every field of every call has a class and says what it is', () => {
  const api = documents.get('docs/api.md') ?? '';
  expect(api).toContain('| `encryptedContent` | ciphertext, at most 2,097,152 characters | sealed |');
  expect(api.match(/^\| `[^`]+` \| [^|]+ \| {2}\|/gm)).toBeNull();
});

test('a number is whole where the contract says so', () => {
  const api = documents.get('docs/api.md') ?? '';
  expect(api).toContain('| `amount` | number from 0 |');
  expect(api).toContain('| `rank` | whole number from 1; may be absent |');
});

test('nothing follows what a query holds where nothing is to be said', () => {
  expect(documents.get('docs/api.md')).not.toMatch(/^\*\*Query\*\*.*; \)/m);
});
