// What the landing page says: of the thirteen, for each count that it is rendered for, and of everything that is here. And its
// example, which opens as words behind a one-time link do.
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { EXAMPLE } from './example.tsx';
import { openExample } from './open-example.ts';
import { LandingPage } from './page.tsx';

/** The page as text, and how many places of its wheel are filled. */
function pageFor(gathered: number | null) {
  const holder = document.createElement('div');
  holder.innerHTML = renderToStaticMarkup(<LandingPage gathered={gathered} />);
  return {
    holder,
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
  expect(says).toContain('Its one script opens the example and thirteen.sh.');
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

test('it shows three uses with a picture each, which wait until somebody comes near them', () => {
  const { holder } = pageFor(null);
  const pictures = [...holder.querySelectorAll('img')];
  expect(pictures).toHaveLength(3);
  for (const picture of pictures) {
    expect(picture.loading).toBe('lazy');
    expect(picture.alt).not.toBe('');
    expect(picture.closest('li')?.querySelector('h3')).not.toBeNull();
  }
});

test('it names everything that is here, and tells of it what is true', () => {
  const { says } = pageFor(null);
  for (const words of [
    'For everybody who keeps a diary, leaves letters for later, or has something to say to one person alone.',
    ...['Memory Vault', 'Relationship Ledger', 'Ghost Mode', 'Myth Builder', 'Sacred Keys'],
    ...['Final Breath', 'Legacy Scroll', 'The gate and the settings', 'Recovery', 'For a family'],
    'The Loom makes it in your browser, and needs no language model',
    'Eulogist Mode',
    'only where this server has one, and only once you have agreed that it reads them',
    'Cross-platform memory import',
    'by webhooks, which this server seals to your vault at once and cannot open again',
    'biometric unlock',
    'Time locks are the server’s word, not mathematics.',
  ])
    expect(says).toContain(words);
});

afterEach(() => document.body.replaceChildren());

function theExample(): HTMLElement {
  document.body.append(pageFor(null).holder);
  return document.querySelector(`[data-example="${EXAMPLE.keyId}"]`) as HTMLElement;
}

test('the example opens in its place, with the key that stands beside it, and has the focus then', async () => {
  const figure = theExample();
  expect(figure.textContent).not.toContain('bell');
  await openExample(figure);
  const title = figure.querySelector('h3');
  expect(title?.textContent).toBe('The bell under the lake');
  expect(document.activeElement).toBe(title);
  expect(title?.closest<HTMLElement>('[data-opened]')?.hidden).toBe(false);
  expect(figure.querySelector<HTMLElement>('[data-shut]')?.hidden).toBe(true);
  expect(figure.querySelector('[data-content]')?.textContent).toContain('It still rings.');
});

test.each(['sealed', 'secret'])('an example of which the %s text was changed does not open', async (part) => {
  const figure = theExample();
  const text = figure.querySelector(`[data-${part}]`) as HTMLElement;
  const [first = '', ...rest] = text.textContent;
  text.textContent = (first === 'A' ? 'B' : 'A') + rest.join('');
  await expect(openExample(figure)).rejects.toThrow();
  expect(figure.querySelector<HTMLElement>('[data-opened]')?.hidden).toBe(true);
  expect(figure.textContent).not.toContain('bell');
});
