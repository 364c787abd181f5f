import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NotFoundDocument } from './page.tsx';

test('on a page that only members have, both ways in lead back to it', () => {
  document.body.innerHTML = renderToStaticMarkup(<NotFoundDocument />);
  const ways = [...document.querySelectorAll('a')].filter(({ textContent }) => textContent === 'Enter');
  expect(ways.map((way) => way.getAttribute('href'))).toEqual(['?sign-in', '?sign-in']);
  document.body.innerHTML = '';
});
