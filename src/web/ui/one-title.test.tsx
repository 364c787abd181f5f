// How many titles a document has: one at every moment that somebody sees.
import { expect, test } from 'vitest';
import { keepOneTitle } from './one-title.ts';

test('a screen’s title takes the place of the document’s own, which is back when the screen is gone', async () => {
  const { head } = document;
  head.replaceChildren();
  const add = (words: string) => {
    const title = document.createElement('title');
    title.textContent = words;
    // Before the first one, as React does.
    head.insertBefore(title, head.querySelector('title'));
    return title;
  };
  const titles = async () => {
    await Promise.resolve();
    return [...head.querySelectorAll('title')].map(({ textContent }) => textContent);
  };
  const own = add('Latebra');
  // The first screen is there before what keeps the titles.
  const gate = add('The gate · Latebra');
  const end = keepOneTitle(own);
  expect(await titles()).toEqual(['The gate · Latebra']);
  const settings = add('Settings · Latebra');
  gate.remove();
  expect(await titles()).toEqual(['Settings · Latebra']);
  settings.remove();
  expect(await titles()).toEqual(['Latebra']);
  end();
});
