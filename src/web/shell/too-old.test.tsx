// An app whose server has a newer contract: it writes no more, and says so before anybody types. What waits on its device is left to
// the app that takes its place (src/web/vault/entries/waiting.test.tsx).
import { screen, waitFor, within } from '@testing-library/dom';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newSealId } from '../../crypto/seal.ts';
import { CONTRACT, CONTRACT_HEADER } from '../../shared/http/call.ts';
import { book } from '../../shared/nouns/book.ts';
import { currentUser } from '../../vault/api/first-calls.ts';
import { type MemoryDraft, memoryKind } from '../../vault/kinds/memory.ts';
import { entryWriter } from '../../vault/outbox/entry-writer.ts';
import { APP_STATE, type AppState, isTooOld, noteAsOf, noteNewerContract } from '../api/app-state.ts';
import { keepUser, loadKeptUser, showKeptUser } from '../api/kept-user.ts';
import { createServices } from '../api/services.tsx';
import { postMemory } from '../testing/another-key.ts';
import type { Browser } from '../testing/browser.tsx';
import { aDevice } from '../testing/devices.ts';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember } from '../testing/member.ts';
import { expectToast, press, pressEscape, textIn } from '../testing/steps.ts';
import { SecretField, TextArea } from '../ui/text-fields.tsx';
import { toasts } from '../ui/toast-store.ts';
import { WordsField } from '../vault/key/words-field.tsx';
import { keepHere } from './keep-here.ts';

const instance = anInstance();
const WORDS = 'A newer Latebra is here. What you wrote is kept; reload to go on writing.';

/** Of the line beneath the head, of which narrow windows show the first sentence. */
const isLine = (_: string, element: Element | null) =>
  element?.getAttribute('role') === 'status' && element.textContent === WORDS;
const newer = String(CONTRACT + 1);

function naming(contract: string, answer: Response): Response {
  if (!answer.headers.has(CONTRACT_HEADER)) return answer;
  const headers = new Headers(answer.headers);
  headers.set(CONTRACT_HEADER, contract);
  return new Response(answer.body, { status: answer.status, headers });
}

/** Has the server say that its contract has this number. @returns ends it */
const nameContract = ({ network }: Pick<Browser, 'network'>, contract: string) =>
  network.intercept(async (_, forward) => naming(contract, await forward()));

const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });

test('a newer contract is said, and no form takes words', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await postMemory(member, 'The orchard', 'Ladders.');
  nameContract(browser, newer);
  const said = countShown();
  await browser.open('/memory-vault/new');
  await screen.findByText(isLine);
  // The dialog covers that line.
  await expectToast('A newer Latebra is here', 'What you wrote is kept; reload to go on writing.');
  for (const name of ['Title', 'Memory']) {
    await browser.user.click(await field(name));
    await browser.user.keyboard('Words');
    expect(textIn(await field(name))).toBe('');
    expect((await field(name)).readOnly).toBe(true);
  }
  expect(said()).toBe(1);
  // What finds something is no form of words.
  await browser.open('/memory-vault');
  await screen.findByText(isLine);
  const search = await screen.findByRole<HTMLInputElement>('searchbox');
  search.focus();
  expect(search.readOnly).toBe(false);
});

/** @returns how often the dialogs said it since */
function countShown(): () => number {
  const ids = new Set<number>();
  onTestFinished(
    toasts.subscribe(() => {
      for (const { id, title } of toasts.entries()) if (title === 'A newer Latebra is here') ids.add(id);
    }),
  );
  return () => ids.size;
}

test('whoever proves that it is them may write the words that prove it', async () => {
  const { browser } = await enterAsMember(instance());
  nameContract(browser, newer);
  await browser.open('/');
  await screen.findByText(isLine);
  const form = document.body.appendChild(document.createElement('form'));
  onTestFinished(() => form.remove());
  const root = createRoot(form);
  flushSync(() =>
    root.render(
      <>
        <WordsField value="" onChange={() => {}} />
        <SecretField label="Passphrase" autoComplete="current-password" />
        <TextArea label="A thought" />
      </>,
    ),
  );
  const reach = async (label: string) => {
    const found = within(form).getByLabelText<HTMLInputElement>(label);
    await browser.user.click(found);
    return found.readOnly;
  };
  await browser.user.click(within(form).getByRole('button', { name: 'Show what is typed' }));
  expect(await reach('The twenty-four words')).toBe(false);
  expect(await reach('Passphrase')).toBe(false);
  expect(await reach('A thought')).toBe(true);
  root.unmount();
});

test('that nothing can be written is said before what was found about the book', async () => {
  const server = instance();
  const member = await enterAsMember(server);
  const { browser } = member;
  nameContract(browser, newer);
  // A server that keeps the book back is told of in the same place.
  browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === '/api/book' ? new Response('', { status: 500 }) : forward(),
  );
  await browser.open('/');
  const line = await screen.findByText(isLine);
  const lines = () => [...document.querySelectorAll('[data-banner]')];
  await waitFor(() => expect(lines().length).toBeGreaterThan(1));
  expect(lines()[0]?.contains(line)).toBe(true);
});

test('a number that this device keeps holds until its server says another, one that a server said as long as the page', () => {
  const { queryClient } = createServices();
  noteNewerContract(queryClient, CONTRACT + 2, true);
  noteNewerContract(queryClient, 0);
  expect(isTooOld(queryClient)).toBe(true);
  noteNewerContract(queryClient, CONTRACT);
  expect(isTooOld(queryClient)).toBe(false);
  noteNewerContract(queryClient, CONTRACT + 2, true);
  noteNewerContract(queryClient, CONTRACT + 1);
  noteNewerContract(queryClient, CONTRACT);
  expect(queryClient.getQueryData<AppState>(APP_STATE)?.newerContract).toBe(CONTRACT + 1);
});

test('a kept number that is higher than the server’s shuts nobody out once the server answers', async () => {
  const { browser, user } = await enterAsMember(instance());
  keepUser(user, Date.now(), CONTRACT + 1);
  const services = createServices({ fetch: browser.network.fetch });
  showKeptUser(services);
  expect(isTooOld(services.queryClient)).toBe(true);
  await services.api.send(currentUser, {});
  // As whoever asks for it notes.
  noteAsOf(services.queryClient, currentUser.path, null);
  expect(isTooOld(services.queryClient)).toBe(false);
  await keepHere(services, user);
  expect(loadKeptUser()?.contract).toBeUndefined();
});

test('words that were written before stay in their form, and are there after the press', async () => {
  const { browser } = await enterAsMember(instance());
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  // The server is replaced while somebody writes: the list comes from the newer one.
  let replace = () => {};
  const replaced = new Promise<void>((resolve) => {
    replace = resolve;
  });
  const end = browser.network.intercept(async (request, forward) => {
    if (new URL(request.url).pathname !== '/api/memory-entries') return forward();
    await replaced;
    return naming(newer, await forward());
  });
  await browser.open('/memory-vault/new');
  await browser.user.click(await field('Memory'));
  await browser.user.keyboard('Half a sent');
  replace();
  await screen.findByText(isLine);
  await browser.user.keyboard('ence');
  expect(textIn(await field('Memory'))).toBe('Half a sent');
  await pressEscape(browser);
  await press(browser, 'Reload');
  expect(reload).toHaveBeenCalled();
  end();
  await browser.open('/memory-vault/new');
  await waitFor(async () => expect(textIn(await field('Memory'))).toBe('Half a sent'));
});

test('nothing is sent that changes the vault, also by what is no form', async () => {
  const server = instance();
  const member = await enterAsMember(server);
  const device = aDevice(server, member);
  nameContract(device, newer);
  const draft: MemoryDraft = {
    texts: { title: 'Late', encryptedContent: 'Words', details: null },
    clear: { timeLockUntil: null },
    choice: '',
  };
  await expect(entryWriter(memoryKind, device.vault).create(draft, newSealId())).rejects.toThrow(
    'This page is older than its server, and nothing was sent.',
  );
  expect(device.network.asked).not.toContain('POST /api/memory-entries');
  // Nor an entry of the book that nothing else goes with.
  const entry = { n: 1, sealed: 'AAAA', isCheckpoint: false, keyFingerprint: member.fingerprint };
  await expect(device.vault.api.send(book.append, { body: entry })).rejects.toThrow('nothing was sent.');
  expect(device.network.asked).not.toContain('POST /api/book');
});

test('it is known at the next start also without a network, until the newer app has taken its place', async () => {
  const member = await enterAsMember(instance());
  const { browser, user } = member;
  await keepHere(createServices({ fetch: browser.network.fetch }), user);
  const end = nameContract(browser, newer);
  await browser.open('/');
  await screen.findByText(isLine);
  await waitFor(() => expect(loadKeptUser()?.contract).toBe(CONTRACT + 1));
  end();
  browser.network.cut();
  await browser.open('/');
  await screen.findByText(isLine);
  browser.network.cut(false);
  // An app of the same contract as its server, as the newer one is.
  await keepHere(createServices({ fetch: browser.network.fetch }), user);
  expect(loadKeptUser()?.contract).toBeUndefined();
  await browser.open('/');
  await screen.findByRole('heading', { name: 'The chambers' });
  expect(screen.queryByText(isLine)).toBeNull();
});

test.each(['', '0', '-1', 'x', String(CONTRACT)])('a server that names %j changes nothing', async (named) => {
  const { browser } = await enterAsMember(instance());
  nameContract(browser, named);
  await browser.open('/memory-vault/new');
  await browser.user.click(await field('Memory'));
  await browser.user.keyboard('Words');
  expect(textIn(await field('Memory'))).toBe('Words');
  expect(screen.queryByText(isLine)).toBeNull();
});
