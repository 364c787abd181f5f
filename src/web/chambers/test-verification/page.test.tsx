// The workbench below the browser: the failure on purpose, the decoder, and the two flags.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { type Decoded, HIDDEN_BYTES } from '../../../shared/nouns/game.ts';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { expectToast, fill, press, textIn } from '../../testing/steps.ts';
import { hexOf } from './hex.ts';

const instance = anInstance();

async function openWorkbench(): Promise<Browser> {
  const { browser } = await enterAsMember(instance());
  await browser.open('/test-verification');
  await screen.findByRole('heading', { name: 'Test verification', level: 1 });
  return browser;
}

/** Has the decoder find a string that belongs to the puzzle. */
function decodeTo({ network }: Browser, found: Partial<Decoded>): unknown[] {
  const asked: unknown[] = [];
  network.intercept(async (request, forward) => {
    if (!request.url.endsWith('/api/phase2/decode')) return forward();
    asked.push(await request.json());
    return Response.json({
      decoded: 'A line of a test',
      hint: 'A hint of a test',
      unlocks: [],
      phase: 2,
      source: 'BLACK_SCROLL_001.txt.sig',
      timestamp: '2030-06-01T12:00:00.000Z',
      ...found,
    });
  });
  return asked;
}

const field = () => screen.getByLabelText('Hex string');
const row = (name: string) => screen.getByText(name).closest('div')?.textContent ?? '';

test('a verification fails on purpose', async () => {
  const browser = await openWorkbench();
  await press(browser, 'Simulate Failing Verification');
  await expectToast('Verification Failed (Intentional)', 'Check the .sig file metadata for hex strings');
});

test.each([
  ['Test string 1', 'A hiding place.'],
  ['Test string 2', 'Look behind the word good.'],
])('%s is read as text, and unlocks nothing', async (name, words) => {
  const browser = await openWorkbench();
  await press(browser, name);
  expect(textIn(field())).toBe(hexOf(words));
  await press(browser, 'Decode');
  await screen.findByText(words);
  expect(row('Unlocks')).toContain('nothing');
  expect(row('Phase 2 decoded')).toContain('Not set');
});

test('nothing typed is not sent, and what is no hex is refused', async () => {
  const browser = await openWorkbench();
  await fill(browser, field(), '   ');
  await press(browser, 'Decode');
  await expectToast('No Input', 'Enter a hex string to decode');
  expect(browser.network.asked).not.toContain('POST /api/phase2/decode');
  await fill(browser, field(), 'not hex');
  await press(browser, 'Decode');
  await expectToast('Decode Failed', 'Unable to decode hex string');
  expect(screen.getByRole('alert').textContent).not.toBe('');
});

test('what belongs to the puzzle shows its hint and opens the shadow in this browser', async () => {
  const browser = await openWorkbench();
  const asked = decodeTo(browser, { unlocks: ['shadow_chamber_access'] });
  await browser.user.selectOptions(screen.getByLabelText('Found in'), 'BLACK_SCROLL_001.txt.sig');
  await fill(browser, field(), '0xAB cd');
  await press(browser, 'Decode');
  await expectToast('Shadow Chamber Unlocked', '/shadow');
  expect(asked).toEqual([{ hexString: '0xAB cd', sourceFile: 'BLACK_SCROLL_001.txt.sig' }]);
  for (const words of ['A line of a test', 'A hint of a test', 'shadow_chamber_access', '1 June 2030, 14:00'])
    expect(screen.getByText(words)).toBeTruthy();
  expect(row('Phase 2 decoded')).toContain('Set');
  expect(localStorage.getItem('latebra.phase-2-decoded')).toBe('true');
  expect(localStorage.getItem('latebra.shadow-accessed')).toBeNull();
  await browser.reload();
  await waitFor(() => expect(row('Phase 2 decoded')).toMatch(/[^t] ?Set$|decodedSet$/));
});

test('the longest text fits into the field as programs print hex', async () => {
  await openWorkbench();
  const { maxLength } = field() as HTMLTextAreaElement;
  expect(maxLength).toBeGreaterThanOrEqual('0x00 '.length * HIDDEN_BYTES);
});

test('the second string sets the second flag', async () => {
  const browser = await openWorkbench();
  decodeTo(browser, { unlocks: ['shadow_scroll_002'], phase: 3 });
  await fill(browser, field(), 'abcd');
  await press(browser, 'Decode');
  await expectToast('Shadow Scroll Unlocked', 'Phase 2 scroll is now accessible');
  expect(localStorage.getItem('latebra.shadow-accessed')).toBe('true');
});

test('it leads to the other places of the puzzle, and shows two posts', async () => {
  await openWorkbench();
  for (const [name, path] of [
    ['The black scroll', '/black-scroll'],
    ['The shadow', '/shadow'],
    ['The thirteen holders', '/thirteen-holders'],
  ] as const)
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path);
  expect(screen.getAllByText('Sample')).toHaveLength(2);
});

test('a visitor decodes as a member does, under the head of visitors, and the shadow opens to them', async () => {
  const browser = openBrowser(instance());
  await browser.open('/test-verification');
  await screen.findByRole('heading', { name: 'Test verification', level: 1 });
  expect(screen.getByRole('link', { name: 'Enter' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Leave' })).toBeNull();
  const { text } = instance().deps.puzzle.hidden.get(instance().deps.puzzle.signatureHex) ?? {};
  await fill(browser, screen.getByLabelText('Hex string'), instance().deps.puzzle.signatureHex);
  await press(browser, 'Decode');
  await expectToast('Shadow Chamber Unlocked', '/shadow');
  expect(document.body.textContent).toContain(text);
  await browser.user.click(screen.getByRole('link', { name: 'The shadow' }));
  await screen.findByRole('heading', { name: 'The shadow', level: 1 });
});
