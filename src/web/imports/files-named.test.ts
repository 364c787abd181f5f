// What a text says of the files that came along.
import { expect, test } from 'vitest';
import { withFilesNamed } from './files-named.ts';

test('names what came along, and leaves what did not', () => {
  expect(
    withFilesNamed('[Photo left out: a.jpg] [Left out: b] [Photo left out: c.jpg]', [
      { name: 'a.jpg' },
      { name: 'b' },
    ]),
  ).toBe('[Photo: a.jpg] [File: b] [Photo left out: c.jpg]');
});

test.each(['$&.jpg', "$'.jpg", '$`', '$1 and $$', '$<name>.png'])(
  'a name is nothing but a name: %s',
  (name) => {
    expect(withFilesNamed(`before [Photo left out: ${name}] [Left out: ${name}] after`, [{ name }])).toBe(
      `before [Photo: ${name}] [File: ${name}] after`,
    );
  },
);
