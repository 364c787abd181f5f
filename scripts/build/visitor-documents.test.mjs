// The app's document as visitors get it: indexable where it is listed, with a title and a description, and marked as theirs.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { visitorDocuments } from './visitor-documents.mjs';

const app = readFileSync(new URL('../../src/web/index.html', import.meta.url), 'utf8');
const made = new Map(visitorDocuments(app));

it('the gathering may be indexed, with a title and a description, and the whisper may not', () => {
  const gathering = made.get('thirteen-holders.html');
  expect(gathering).toMatch(/<meta name="description" content="The gathering of the thirteen: [^"]{60,}">/);
  expect(gathering).not.toContain('noindex');
  expect(made.get('whisper.html')).toContain('<meta name="robots" content="noindex">');
  expect(app).toContain('<meta name="robots" content="noindex">');
});

it('each has one title, its own, and says that nobody has signed in', () => {
  for (const [file, page] of made) {
    const titles = [...page.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);
    expect(titles, file).toEqual([expect.stringMatching(/^The .+ · Latebra$/)]);
    expect(page, file).toContain('<html lang="en" data-visitor>');
  }
});

it('a document of another form is refused, and not served half changed', () => {
  expect(() => visitorDocuments(app.replace('<title>Latebra</title>', ''))).toThrow(
    'not exactly one <title>',
  );
});
