// What a reader sees of Markdown: elements of the page, links that are shown whole, and nothing that is fetched.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { postMemory } from '../../testing/memories.ts';

const instance = anInstance();

async function read(encryptedContent: string) {
  const member = await enterAsMember(instance());
  const { sealId } = await postMemory(member, { title: 'The gate', encryptedContent });
  await member.browser.open(`/memory-vault/${sealId}`);
  return { dialog: await screen.findByRole('dialog'), ...member };
}

test('a memory is read as Markdown: headings, lists, what is stressed, and code', async () => {
  const { dialog } = await read(
    '# Autumn\n\nWe were *never* **so** ~~cold~~ warm.\n\n- bread\n- salt\n\n> she said\n\n`ls`',
  );
  const there = within(dialog);
  await there.findByRole('heading', { name: 'Autumn', level: 3 });
  expect(there.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['bread', 'salt']);
  const tagOf = (text: string) => there.getByText(text).tagName;
  expect(['never', 'so', 'cold', 'she said', 'ls'].map(tagOf)).toEqual(['EM', 'STRONG', 'S', 'P', 'CODE']);
  expect(there.getByText('she said').closest('blockquote')).not.toBeNull();
});

test('links open elsewhere, without a referrer, and are shown whole', async () => {
  const { dialog } = await read(
    'See [my bank ](https://example.com/a?b=c "in May") and <https://example.org>. Also https://example.net/Köln, https://\u0435xample.net.',
  );
  const [first, second, third, fourth] = await within(dialog).findAllByRole('link');
  expect(first?.textContent).toBe('my bank (https://example.com/a?b=c) “in May”');
  expect(second?.textContent).toBe('https://example.org');
  expect(third?.textContent).toBe('https://example.net/Köln');
  expect(third?.getAttribute('href')).toBe('https://example.net/K%C3%B6ln');
  expect(fourth?.textContent).toMatch(/^https:\/\/\u0435xample\.net \(https:\/\/xn--[a-z0-9-]+\.net\)$/);
  for (const link of [first, second, third, fourth]) {
    expect(link?.getAttribute('target')).toBe('_blank');
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer');
    expect(link?.getAttribute('referrerpolicy')).toBe('no-referrer');
  }
});

test('a text whose only mark is an address has its link too', async () => {
  const { dialog } = await read('It is told at https://example.com/gate.');
  const link = await within(dialog).findByRole('link', { name: 'https://example.com/gate' });
  expect(link.closest('p')?.textContent).toBe('It is told at https://example.com/gate.');
});

test('HTML and addresses that run something are text, and no picture is fetched', async () => {
  const written = [
    '<img src="https://example.com/a.png" onerror="alert(1)"><script>alert(1)</script>',
    '[press](javascript:alert(1)) [here](/api/logout) &lt;b&gt;',
    '![The gate in May](https://example.com/gate.png)',
  ];
  const { dialog, browser } = await read(`*Marked.*\n\n${written.join('\n\n')}`);
  await within(dialog).findByText('Marked.');
  expect(dialog.textContent).toContain(written[0]);
  expect(dialog.textContent).toContain(written[1]);
  expect(dialog.textContent).toContain('The gate in May (https://example.com/gate.png)');
  expect(dialog.querySelectorAll('img, script, iframe, picture, video, b')).toHaveLength(0);
  // Their addresses are links like any other.
  expect(within(dialog).getAllByRole('link')).toHaveLength(2);
  expect(browser.network.asked.join()).not.toContain('gate.png');
});

test('a text without markup stands as it was written, with its drop capital', async () => {
  const first =
    'It was the wettest summer that anybody in the valley could remember, and the river rose. '.repeat(2);
  const { dialog } = await read(`${first}\n  a verse\n    further in\n\nThe second paragraph.`);
  const [one, two] = dialog.querySelectorAll('p[dir=auto]');
  await waitFor(() => expect(one?.textContent).toBe(`${first}\n  a verse\n    further in`));
  expect(one?.className).toContain('drop-capital');
  expect(two?.textContent).toBe('The second paragraph.');
});

test('hostile Markdown is shown as it was written', async () => {
  const deep = `${'> '.repeat(5_000)}the end`;
  const { dialog } = await read(deep);
  await waitFor(() => expect(dialog.textContent).toContain(deep));
  expect(dialog.querySelector('blockquote')).toBeNull();
});
