import { screen, waitFor } from '@testing-library/dom';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { NotFoundDocument } from './page.tsx';

const instance = anInstance();

test('on a page that only members have, both ways in lead back to it', () => {
  document.body.innerHTML = renderToStaticMarkup(<NotFoundDocument />);
  const ways = [...document.querySelectorAll('a')].filter(({ textContent }) => textContent === 'Enter');
  expect(ways.map((way) => way.getAttribute('href'))).toEqual(['?sign-in', '?sign-in']);
  document.body.innerHTML = '';
});

test('somebody who is signed in reads in the title as well that there is nothing', async () => {
  const { browser } = await enterAsMember(instance());
  await browser.open('/nothing-here');
  await screen.findByRole('heading', { name: /no such chamber/ });
  await waitFor(() => expect(document.title).toBe('404: no such chamber · Latebra'));
});
