// Getting about, below the browser: the head with the chambers, the palette, and the keys.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { HOUR } from '../../shared/time.ts';
import { makeAdministrator } from '../../testing/people.ts';
import { postMemory } from '../testing/another-key.ts';
import type { Browser } from '../testing/browser.tsx';
import { anInstance, aSellingInstance } from '../testing/instance.ts';
import { asPerson, enterAsMember, type Member } from '../testing/member.ts';
import { postMyth } from '../testing/myths.ts';
import { expectNoDialog, fill, findRow, press, pressEscape } from '../testing/steps.ts';
import { setLetterKeys } from '../vault/device/device.ts';
import { chamberPlaces } from './chamber-places.ts';

const instance = anInstance();
const selling = aSellingInstance();

const head = () => within(screen.getByRole('navigation', { name: 'Chambers' }));
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });

async function openAt(path: string): Promise<Member> {
  const member = await enterAsMember(instance());
  await member.browser.open(path);
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull());
  return member;
}

async function openPalette({ user }: Browser): Promise<HTMLElement> {
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Search or go to' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  return field;
}

const options = () => within(screen.getByRole('listbox')).queryAllByRole('option');
const offered = () => options().map(({ textContent }) => textContent);

const postMoment = ({ postSealed }: Member, personName: string, encryptedContent: string) =>
  postSealed(
    '/api/relationship-entries',
    'relationship',
    { personName, encryptedContent },
    { eventType: 'argument', emotionalWeight: 3 },
  );

const unfold = async ({ user }: Browser) => user.click(head().getByRole('button', { name: 'More' }));
const more = () => head().getByRole('button', { name: 'More' }).getAttribute('aria-expanded');
const marked = () =>
  head()
    .getAllByRole('link')
    .filter((link) => link.hasAttribute('aria-current'))
    .map(({ textContent }) => textContent);

test('the head has five places and More, and marks the one that somebody is in', async () => {
  const { browser } = await openAt('/');
  const [places] = head().getAllByRole('list');
  const named = within(places as HTMLElement).getAllByRole('listitem');
  expect(named.map(({ textContent }) => textContent)).toEqual([
    'Write',
    'People',
    'Letters',
    'Share',
    'Search',
  ]);
  expect(marked()).toEqual(['Write']);
  for (const [place, chamber, to] of [
    ['People', 'Relationship Ledger', '/relationship-ledger/people'],
    ['Letters', 'Legacy Scroll', '/legacy-scroll'],
    ['Share', 'Sacred Keys', '/sacred-keys'],
  ] as const) {
    await browser.user.click(head().getByRole('link', { name: place }));
    await heading(chamber);
    expect(window.location.pathname).toBe(to);
    expect(marked()).toEqual([place]);
  }
  await browser.user.click(head().getByRole('link', { name: 'Write' }));
  await screen.findByRole('dialog', { name: 'New Memory' });
  // Leaving the form leads back to where "Write" was pressed.
  await pressEscape(browser);
  await heading('Sacred Keys');
  expect(window.location.pathname).toBe('/sacred-keys');
});

test('every chamber is two presses away from every other, under its own name, and the current one is marked', async () => {
  const { browser } = await openAt('/');
  const list = () => within(head().getAllByRole('list')[1] as HTMLElement);
  let before: string | null = null;
  for (const { name, to } of chamberPlaces) {
    await unfold(browser);
    await head().findByRole('link', { name: 'Memory Vault' });
    if (before === null)
      expect(
        list()
          .getAllByRole('link')
          .map(({ textContent }) => textContent),
      ).toEqual(chamberPlaces.map((place) => place.name));
    else expect(marked()).toContain(before);
    await browser.user.click(list().getByRole('link', { name }));
    await waitFor(() => expect(window.location.pathname).toBe(to));
    await waitFor(() => expect(more()).toBe('false'));
    before = name;
  }
});

test('More leads an administrator to administration, and says nothing of it to anybody else', async () => {
  const member = await openAt('/');
  await unfold(member.browser);
  await head().findByRole('link', { name: 'Memory Vault' });
  expect(head().queryByRole('link', { name: 'Administration' })).toBeNull();
  await makeAdministrator(instance(), asPerson(instance(), member));
  await member.browser.open('/settings');
  await heading('Sacred Settings');
  await unfold(member.browser);
  await member.browser.user.click(await head().findByRole('link', { name: 'Administration' }));
  await heading('Administration');
});

test('home, Settings and Leave stand in the row of every page', async () => {
  await openAt('/quantum-security');
  for (const [name, href] of [
    ['Latebra', '/'],
    ['Sacred Settings', '/settings'],
    ['Leave', '/api/logout'],
  ] as const)
    expect(head().getByRole('link', { name }).getAttribute('href')).toBe(href);
});

test('More says whether it is open, and Escape closes it and gives the focus back', async () => {
  const { browser } = await openAt('/settings');
  expect(more()).toBe('false');
  head().getByRole('button', { name: 'More' }).focus();
  await browser.user.keyboard('{Enter}');
  expect(more()).toBe('true');
  await head().findByRole('link', { name: 'Memory Vault' });
  await browser.user.keyboard('{Tab}');
  expect(document.activeElement?.textContent).toBe('Memory Vault');
  await browser.user.keyboard('{Escape}');
  expect(more()).toBe('false');
  expect(document.activeElement).toBe(head().getByRole('button', { name: 'More' }));
  await unfold(browser);
  screen.getByRole('main').focus();
  await waitFor(() => expect(more()).toBe('false'));
});

test('nobody is offered chambers before the three questions, or before an open vault', async () => {
  const { browser } = await openAt('/');
  browser.forgetStorage();
  await browser.open('/');
  await screen.findByRole('heading', { name: 'Unlock the vault' });
  expect(head().queryByRole('list')).toBeNull();
  expect(head().queryByRole('button')).toBeNull();
  await browser.user.keyboard('{Control>}k{/Control}?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await browser.user.click(head().getByRole('link', { name: 'Leave' }));
  await screen.findByRole('dialog', { name: 'Leave' });
});

test('the palette goes to screens, by the arrows and Enter, and closes with Escape or its own key', async () => {
  const { browser } = await openAt('/');
  await openPalette(browser);
  expect(offered()[0]).toBe('New memory');
  await browser.user.keyboard('settings');
  // Its groups follow it.
  await waitFor(() => expect(offered()[0]).toBe('Sacred Settings'));
  await browser.user.keyboard('{Enter}');
  await heading('Sacred Settings');
  await expectNoDialog();

  const field = await openPalette(browser);
  await browser.user.keyboard('go');
  await waitFor(() => expect(offered().length).toBeGreaterThan(5));
  const chosen = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  expect(chosen()).toBe(options()[0]);
  await browser.user.keyboard('{ArrowDown}');
  expect(chosen()).toBe(options()[1]);
  expect(
    options()
      .map((option) => option.getAttribute('aria-selected'))
      .indexOf('true'),
  ).toBe(1);
  await browser.user.keyboard('{ArrowUp}{ArrowUp}');
  expect(chosen()).toBe(options().at(-1));
  await pressEscape(browser);
  await openPalette(browser);
  await browser.user.keyboard('{Control>}k{/Control}');
  await expectNoDialog();
});

test('the palette offers the checkout where a plan is sold, and nowhere else', async () => {
  const { browser } = await openAt('/settings');
  await heading('Sacred Settings');
  await openPalette(browser);
  await browser.user.keyboard('enhanced pay');
  await screen.findByText(/^Nothing here has these words/);
  await browser.network.idle();
  expect(offered()).toEqual([]);
  const buyer = await enterAsMember(selling());
  await buyer.browser.open('/settings');
  await heading('Sacred Settings');
  await openPalette(buyer.browser);
  await buyer.browser.user.keyboard('enhanced pay');
  await waitFor(() => expect(offered()).toEqual(['Checkout']));
});

test('the palette opens by a button of the head, and begins each kind of new entry', async () => {
  const { browser } = await openAt('/settings');
  for (const [typed, dialog] of [
    ['new memory', 'New Memory'],
    ['new moment', 'Record Moment'],
    ['new note', /Ghost/],
    ['new story', /Myth/],
    ['new link', /Sacred Key/],
  ] as const) {
    await browser.user.click(head().getByRole('button', { name: 'Search' }));
    await screen.findByRole('combobox');
    await browser.user.keyboard(`${typed}{Enter}`);
    await screen.findByRole('dialog', { name: dialog });
    await pressEscape(browser);
    await waitFor(() => expect(window.location.pathname).not.toMatch(/new$/));
  }
  await openPalette(browser);
  await browser.user.keyboard('new scroll{Enter}');
  await heading('Legacy Scroll');
  await waitFor(() => expect(document.querySelector('[aria-labelledby="new-scroll"]')).not.toBeNull());
  await openPalette(browser);
  await browser.user.keyboard('new final{Enter}');
  await heading('Say it once');
  await waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'));
  expect(window.location.pathname).toBe('/final-breath');
});

test('the palette fetches and opens what was not, shows where the words stand, and leads there', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await postMemory(member, 'The orchard', 'Ladders in the rain, and a bell.');
  await postMoment(member, 'Agnes of the bell', 'We parted at the gate.');
  await postMyth(member, { title: 'The drowned village', encryptedContent: 'A bell rings below.' });
  const fetched: string[] = [];
  browser.network.intercept((request, forward) => {
    if (request.method === 'GET') fetched.push(new URL(request.url).pathname);
    return forward();
  });
  await browser.open('/settings');
  await heading('Sacred Settings');
  await openPalette(browser);
  const lists = ['/api/memory-entries', '/api/relationship-entries', '/api/myth-stories'];
  expect(fetched.filter((path) => lists.includes(path))).toEqual([]);
  await browser.user.keyboard('bell');
  await waitFor(() =>
    expect(offered()).toEqual([
      'The orchardLadders in the rain, and a bell.',
      'Agnes of the bellArgument',
      'Agnes of the bellOne moment',
      'The drowned villageSacred BiographyA bell rings below.',
    ]),
  );
  const [, ...marks] = screen.getByRole('listbox').querySelectorAll('mark');
  expect(marks.map(({ textContent }) => textContent)).toContain('bell');
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('4 results'));
  await browser.user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Ladders in the rain'));
  expect(window.location.pathname).toMatch(/^\/memory-vault\/./);

  // A person leads to their moments, and no name gets into the address or the history.
  await pressEscape(browser);
  await openPalette(browser);
  await browser.user.keyboard('agnes');
  await waitFor(() =>
    expect(offered()).toEqual(['Agnes of the bellArgument', 'Agnes of the bellOne moment']),
  );
  await browser.user.keyboard('{ArrowDown}{Enter}');
  await screen.findByRole('heading', { name: 'Agnes of the bell' });
  expect(JSON.stringify([window.location.href, window.history.state])).not.toContain('Agnes');
  expect(window.location.pathname).toMatch(/^\/relationship-ledger\/people\/./);
  // Going back leads to where the palette was opened.
  window.history.back();
  await heading('Sacred Settings');
});

test('the palette has no text of what is locked, and says so where nothing was found', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  const timeLockUntil = new Date(Date.now() + HOUR).toISOString();
  await postMemory(member, 'For the wedding', 'A hidden orchard.', { timeLockUntil });
  await browser.open('/memory-vault');
  await findRow('For the wedding');
  await openPalette(browser);
  await browser.user.keyboard('orchard');
  await waitFor(() =>
    expect(screen.getByRole('dialog').textContent).toContain('Locked and burned texts are not searched.'),
  );
  expect(options()).toEqual([]);
  await browser.user.keyboard('{Control>}a{/Control}wedding');
  await waitFor(() => expect(offered()).toEqual(['For the weddingLocked']));
  expect(document.body.textContent).not.toContain('orchard');
});

test('a list that cannot be fetched is named, and tried again', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await postMyth(member, { title: 'The drowned village', encryptedContent: 'A bell rings below.' });
  const mend = browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === '/api/myth-stories' ? new Response('', { status: 500 }) : forward(),
  );
  await browser.open('/settings');
  await heading('Sacred Settings');
  await openPalette(browser);
  await browser.user.keyboard('drowned');
  const said = await screen.findByRole('alert');
  expect(said.textContent).toContain('Your stories could not be fetched.');
  mend();
  await press(browser, 'Retry', said);
  await waitFor(() => expect(offered()).toEqual(['The drowned villageSacred Biography']));
});

test('letters are keys on the page, and letters where somebody writes', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await postMemory(member, 'The orchard', 'Ladders.');
  await browser.open('/memory-vault');
  await findRow('The orchard');
  await browser.user.keyboard('/');
  const search = screen.getByRole('searchbox');
  expect(document.activeElement).toBe(search);
  await browser.user.keyboard('n/?');
  expect((search as HTMLInputElement).value).toBe('n/?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await fill(browser, search, '');
  search.blur();
  // With a modifier a letter is the browser's.
  await browser.user.keyboard('{Control>}n{/Control}{Alt>}n{/Alt}');
  expect(screen.queryByRole('dialog')).toBeNull();
  const button = screen.getByRole('button', { name: 'New Memory' });
  expect(button.getAttribute('aria-keyshortcuts')).toBe('n');
  await browser.user.keyboard('n');
  const form = await screen.findByRole('dialog', { name: 'New Memory' });
  within(form).getByRole('button', { name: 'Cancel' }).focus();
  // While a dialog stands a letter means nothing.
  await browser.user.keyboard('?');
  await browser.user.keyboard('{Control>}k{/Control}');
  expect(screen.getAllByRole('dialog')).toEqual([form]);
});

test('where there is nothing to search, the slash opens the palette', async () => {
  const { browser } = await openAt('/settings');
  await browser.user.keyboard('/');
  await screen.findByRole('combobox', { name: 'Search or go to' });
});

test('the question mark lists the keys, and letters can be switched off and on in this browser', async () => {
  const { browser } = await openAt('/ghost-mode');
  await browser.user.keyboard('?');
  const list = await screen.findByRole('dialog', { name: 'Keyboard' });
  expect(list.textContent).toContain('Search the chamber you are in');
  const box = within(list).getByLabelText<HTMLInputElement>('Use single-letter keys');
  expect(box.checked).toBe(true);
  await browser.user.click(box);
  await pressEscape(browser);
  await browser.user.keyboard('?n/');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Ghost Thought' }).hasAttribute('aria-keyshortcuts')).toBe(false);
  await browser.reload();
  await heading('Ghost Mode');
  await browser.user.keyboard('?');
  expect(screen.queryByRole('dialog')).toBeNull();
  // What is called by more than a letter still works, and leads back to the list.
  await openPalette(browser);
  await browser.user.keyboard('keyboard{Enter}');
  const again = await screen.findByRole('dialog', { name: 'Keyboard' });
  await browser.user.click(within(again).getByLabelText('Use single-letter keys'));
  await pressEscape(browser);
  await browser.user.keyboard('n');
  await screen.findByRole('dialog', { name: /Ghost/ });
  setLetterKeys(true);
});

test('Ctrl+Enter seals from within a text, once, and not while the button cannot be pressed', async () => {
  const member = await openAt('/memory-vault/new');
  const { browser } = member;
  const form = within(await screen.findByRole('dialog', { name: 'New Memory' }));
  expect(form.getByRole('button', { name: 'Seal Memory' }).getAttribute('aria-keyshortcuts')).toBe(
    'Control+Enter Meta+Enter',
  );
  await fill(browser, form.getByLabelText('Title'), 'The orchard');
  await fill(browser, form.getByRole('textbox', { name: 'Memory' }), 'Ladders.');
  await browser.user.keyboard('{Control>}{Enter}{/Control}');
  await expectNoDialog();
  await findRow('The orchard');
  expect(await member.call<unknown[]>('GET', '/api/memory-entries')).toHaveLength(1);

  await browser.user.keyboard('n');
  const empty = within(await screen.findByRole('dialog', { name: 'New Memory' }));
  await fill(browser, empty.getByLabelText('Title'), 'Another');
  await fill(browser, empty.getByRole('textbox', { name: 'Memory' }), 'Words.');
  await browser.user.keyboard('{Meta>}{Enter}{/Meta}');
  await expectNoDialog();
  expect(await member.call<unknown[]>('GET', '/api/memory-entries')).toHaveLength(2);
});

test('Ctrl+Enter seals a final breath, which is no dialog, and answers no question before something ends', async () => {
  const member = await openAt('/final-breath/new');
  const { browser } = member;
  const text = await screen.findByRole('textbox', { name: 'Your final breath' });
  await browser.user.click(text);
  await browser.user.keyboard('{Control>}{Enter}{/Control}');
  expect(await member.call('GET', '/api/final-breath')).toBeNull();
  await fill(browser, text, 'Said once.');
  await browser.user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(async () => expect(await member.call('GET', '/api/final-breath')).not.toBeNull());

  await postMemory(member, 'The orchard', 'Ladders.');
  await browser.open('/memory-vault');
  await findRow('The orchard');
  await press(browser, /^Delete/, screen.getByRole('main'));
  const question = await screen.findByRole('alertdialog');
  within(question)
    .getByRole('button', { name: /Cancel|Keep/ })
    .focus();
  await browser.user.keyboard('{Control>}{Enter}{/Control}');
  expect(await member.call<unknown[]>('GET', '/api/memory-entries')).toHaveLength(1);
});
