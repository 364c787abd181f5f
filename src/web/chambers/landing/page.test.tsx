// What the landing page says of the thirteen, for each count that it is rendered for.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { offers } from './offers.ts';
import { LandingPage } from './page.tsx';

/** The page as text, and how many places of its wheel are filled. */
function pageFor(gathered: number | null) {
  const holder = document.createElement('div');
  holder.innerHTML = renderToStaticMarkup(<LandingPage offers={{ ...offers, gathered }} />);
  return {
    says: holder.textContent.replace(/\s+/g, ' '),
    lit: holder.querySelectorAll('.hero-wheel .fill-ember').length,
    terminals: holder.querySelectorAll('button[data-terminal]').length,
    links: [...holder.querySelectorAll('a')].map((link) => link.getAttribute('href')),
  };
}

test('without a gathering it says little of the token, and promises nothing of it', () => {
  const { says, lit } = pageFor(null);
  expect(says).toContain('No token is needed here. Everything named above is open without one.');
  expect(says).toContain('Thirteen places, kept empty');
  expect(says).not.toMatch(/100 tokens|hidden chamber|yet open|The Curve|Solana/);
  expect(says).not.toContain('have gathered');
  expect(lit).toBe(0);
});

test.each([
  [0, '0 of 13 have gathered', 'Thirteen places, kept empty'],
  [1, '1 of 13 has gathered', 'Thirteen places'],
  [12, '12 of 13 have gathered', 'a hidden chamber opens'],
  [13, '13 of 13 have gathered', 'The Thirteen Have Gathered'],
])('with %d holders it says so, in its wheel as well', (count, words, title) => {
  const { says, lit } = pageFor(count);
  expect(says).toContain(words);
  expect(says).toContain(title);
  expect(says).toContain('100 tokens open the sacred rituals');
  expect(says).not.toContain('No token is needed here');
  expect(lit).toBe(count);
});

test('it leads to the gathering and to the terminal', () => {
  const { links, terminals, says } = pageFor(9);
  expect(links.filter((href) => href === '/thirteen-holders').length).toBeGreaterThanOrEqual(2);
  expect(terminals).toBe(2);
  expect(says).toContain('Its one script opens thirteen.sh.');
});

test('it says that its source is open only where a link leads to it', () => {
  for (const gathered of [null, 3]) expect(pageFor(gathered).links).toContain('/source');
  const { links } = pageFor(null);
  expect(links.filter((href) => href === '/source')).toHaveLength(3);
});

test('the ritual begins where a vault is made, and entering where one is opened', () => {
  const { links } = pageFor(null);
  expect(links.filter((href) => href === '/api/login#first-time')).toHaveLength(2);
  expect(links).toContain('/api/login');
});

test('it tells of stories, eulogies and imports what is true of them', () => {
  const { says } = pageFor(null);
  for (const words of [
    'The Loom makes it in your browser, and needs no language model',
    'Eulogist Mode',
    'only where this server has one, and only once you have agreed that it reads them',
    'Cross-platform memory import',
    'by webhooks, which this server seals to your vault at once and cannot open again',
    'biometric unlock',
  ])
    expect(says).toContain(words);
});
