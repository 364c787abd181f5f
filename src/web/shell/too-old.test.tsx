// An app whose server has a newer contract: it writes no more, and says so before anybody types. What waits on its device is left to
// the app that takes its place (src/web/vault/entries/waiting.test.tsx).
import { screen, waitFor } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { newSealId } from '../../crypto/seal.ts';
import { CONTRACT, CONTRACT_HEADER } from '../../shared/http/call.ts';
import { type MemoryDraft, memoryKind } from '../../vault/kinds/memory.ts';
import { entryWriter } from '../../vault/outbox/entry-writer.ts';
import { loadKeptUser } from '../api/kept-user.ts';
import { createServices } from '../api/services.tsx';
import type { Browser } from '../testing/browser.tsx';
import { aDevice } from '../testing/devices.ts';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember } from '../testing/member.ts';
import { expectToast, press, pressEscape, textIn } from '../testing/steps.ts';
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
  const { browser } = await enterAsMember(instance());
  nameContract(browser, newer);
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
  // What finds something is no form of words.
  await browser.open('/memory-vault');
  await screen.findByText(isLine);
  const search = screen.queryByRole<HTMLInputElement>('searchbox');
  search?.focus();
  expect(search?.readOnly ?? false).toBe(false);
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
