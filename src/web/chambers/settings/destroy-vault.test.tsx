// Destroying a vault, below the browser: what is said before, and that nothing of it stays.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { MINUTE } from '../../../shared/time.ts';
import { plainScroll } from '../../../testing/scrolls.ts';
import { someWords } from '../../../testing/shares.ts';
import { openSettings, postMemory } from '../../testing/another-key.ts';
import type { Browser } from '../../testing/browser.tsx';
import { aVaultWith } from '../../testing/devices.ts';
import { beginByPassphrase } from '../../testing/gate-steps.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { holdAnswer } from '../../testing/mishaps.ts';
import { unreachable } from '../../testing/network.ts';
import { expectNoDialog, fill, press, pressEscape } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { writeSlot } from '../../vault/device/account-slot.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';

async function ask(browser: Browser): Promise<HTMLElement> {
  await press(browser, 'Destroy Vault');
  return screen.findByRole('alertdialog', { name: 'Destroy the vault?' });
}

const word = (question: HTMLElement) => within(question).getByLabelText('Type DESTROY to go on');

/** What this browser keeps of any vault. */
const kept = () =>
  [...Object.keys({ ...localStorage }), ...Object.keys({ ...sessionStorage })].filter((name) =>
    name.startsWith('latebra.'),
  );

test('a destroyed vault leaves nothing on the server or in this browser', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const { browser } = member;
  await postMemory(member, 'The orchard', 'Ladders.');
  await browser.open('/memory-vault');
  await press(browser, 'New Memory');
  await fill(browser, await screen.findByRole('textbox', { name: 'Title' }), 'Half a thought');
  await waitFor(() => expect(kept().join()).toContain('latebra.draft'));
  sessionStorage.setItem('latebra.redemption:x', '1');
  localStorage.setItem('latebra.vault-key:another-account', 'kept');

  await openSettings(browser);
  const question = await ask(browser);
  expect(question.textContent).toContain('Backups that an administrator of this server has made');
  const action = within(question).getByRole<HTMLButtonElement>('button', { name: 'Destroy Vault' });
  expect(action.disabled).toBe(true);
  await fill(browser, word(question), 'destroy');
  expect(action.disabled).toBe(true);
  // What can be taken along is offered first.
  await press(browser, 'Export everything first', question);
  await screen.findByRole('dialog', { name: 'Export' });
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await pressEscape(browser);
  await expectNoDialog();

  const wanted: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void wanted.push(String(url)));
  const again = await ask(browser);
  await fill(browser, word(again), 'DESTROY');
  instance().clock.advance(11 * MINUTE);
  await press(browser, 'Destroy Vault', again);
  const proof = await screen.findByRole('dialog', { name: 'Is it still you?' });
  await fill(browser, within(proof).getByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Prove it', proof);
  await waitFor(() => expect(wanted).toEqual(['/#vault-destroyed']));
  expect(kept()).toEqual(['latebra.vault-key:another-account']);
  expect((await browser.network.fetch('/api/auth/user')).status).toBe(401);

  // The name is free again, and what begins under it is empty.
  await beginByPassphrase(browser, member.user.name ?? '', PASSPHRASE);
  await screen.findByLabelText('What are you hiding?');
  const memories = await browser.network.fetch('/api/memory-entries');
  expect(await memories.json()).toEqual([]);
});

test('a vault that could not be destroyed is still there, and says why', async () => {
  const { browser } = await enterAsMember(instance());
  await openSettings(browser);
  browser.network.intercept(async (request, forward) => {
    if (new URL(request.url).pathname === '/api/vault/destroy') throw unreachable();
    return forward();
  });
  const question = await ask(browser);
  await fill(browser, word(question), 'DESTROY');
  const action = within(question).getByRole<HTMLButtonElement>('button', { name: 'Destroy Vault' });
  await waitFor(() => expect(action.disabled).toBe(false));
  await browser.user.keyboard('{Enter}');
  expect((await within(question).findByRole('alert')).textContent).toContain('could not be reached');
  await pressEscape(browser);
  await expectNoDialog();
  await browser.reload();
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
});

test('sisters of letters that the server does not show, and this browser knows, are named before', async () => {
  const { browser, user } = await enterAsMember(instance());
  const known = { since: 1, tried: 1, reached: 1, answer: 'kept' };
  const letter = (sister: string) => `${newSealId()} 1 https://${sister}.example ${'0'.repeat(32)}`;
  writeSlot(
    'latebra.sisters',
    user.id,
    JSON.stringify({
      [letter('one')]: known,
      [letter('two')]: { ...known, answer: 'other' },
      [letter('three')]: { ...known, answer: 'ended-by-author' },
    }),
  );
  const wanted: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void wanted.push(String(url)));
  await openSettings(browser);
  const question = await ask(browser);
  await fill(browser, word(question), 'DESTROY');
  const action = within(question).getByRole<HTMLButtonElement>('button', { name: 'Destroy Vault' });
  await waitFor(() => expect(action.disabled).toBe(false));
  await press(browser, 'Destroy Vault', question);
  const told = await within(question).findByRole('alert');
  await waitFor(() => expect(told.textContent).toMatch(/^one\.example, two\.example were not reached, or/));
  expect(wanted).toEqual([]);
  await press(browser, 'Destroy Vault', question);
  await waitFor(() => expect(wanted).toEqual(['/#vault-destroyed']));
});

test('letters that the server leaves out and the vault’s book knows are told before, and what becomes of them is asked', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const { browser } = member;
  const [device] = devices;
  const sealId = newSealId();
  const keyFingerprint = member.fingerprint;
  const body = { ...plainScroll(), encryptedScrollKey: someWords(60), keyFingerprint, sealId } as never;
  await device?.bookSync.write({ put: [{ kind: 'legacy-scroll', sealId, sealed: body }] }, (entry) =>
    device.vault.api.send(legacyScrolls.create, { body, entry }),
  );
  browser.network.intercept(async (request, forward) => {
    const isList = request.method === 'GET' && new URL(request.url).pathname === '/api/legacy-scrolls';
    return isList ? Response.json([]) : forward();
  });
  await openSettings(browser);
  const question = await ask(browser);
  await within(question).findByText(/This server does not show 1 letter that your vault’s book knows\./);
  within(question).getByRole('radio', { name: /Release them/ });
  await fill(browser, word(question), 'DESTROY');
  const action = within(question).getByRole<HTMLButtonElement>('button', { name: 'Destroy Vault' });
  expect(action.disabled).toBe(true);
  await browser.user.click(within(question).getByRole('radio', { name: /Disarm them/ }));
  expect(action.disabled).toBe(false);
});

test('a vault is not destroyed before the letters that go with it were counted', async () => {
  const { browser } = await enterAsMember(instance());
  await openSettings(browser);
  const letGo = holdAnswer(browser, 'GET /api/whispers');
  const question = await ask(browser);
  await fill(browser, word(question), 'DESTROY');
  const action = within(question).getByRole<HTMLButtonElement>('button', { name: 'Destroy Vault' });
  expect(action.disabled).toBe(true);
  letGo();
  await waitFor(() => expect(action.disabled).toBe(false));
});

test('letters that could be compared with no book are not taken for all there are', async () => {
  const { browser } = await enterAsMember(instance());
  await openSettings(browser);
  browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname.startsWith('/api/book')
      ? Response.json({ code: 'internal', message: 'Not now.' }, { status: 500 })
      : forward(),
  );
  const question = await ask(browser);
  await within(question).findByText(/could not be compared with your vault’s book\./);
});
