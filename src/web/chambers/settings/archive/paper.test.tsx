// Paper, below the browser: entries are chosen and printed, the sheets are photographed, and imports brings them in again. What a printer
// gets is looked at in e2e/paper.spec.ts; what damage the codes stand is told in src/ark/paper.
import { screen, within } from '@testing-library/dom';
import { afterEach, expect, test, vi } from 'vitest';
import type { Memory } from '../../../../shared/nouns/memory.ts';
import { keyIn, openSettings, postMemory } from '../../../testing/another-key.ts';
import { expectText } from '../../../testing/archives.ts';
import type { Browser } from '../../../testing/browser.tsx';
import { anInstance } from '../../../testing/instance.ts';
import { ANSWERS, enterAsMember } from '../../../testing/member.ts';
import { openMemoryVault } from '../../../testing/memories.ts';
import { expectNoDialog, findRow, press, pressEscape } from '../../../testing/steps.ts';
import { openField } from '../../../vault/entries/testing/sealing.ts';

const instance = anInstance();
afterEach(() => vi.restoreAllMocks());

const BELL = `It rings. ${'Ding, dong. '.repeat(300)}\n\n  It still rings. 🜏`;
const GRAYMAP = 'image/x-portable-graymap';
/** Pixels of a module. */
const SCALE = 3;

/** A printed code as a camera sees it. To read whole sheets takes seconds: src/ark/paper does. */
function photographOf(code: Element, name: string): File {
  const size = Number(code.getAttribute('viewBox')?.split(' ')[2]);
  const side = size * SCALE;
  const luma = new Uint8Array(side * side).fill(235);
  const path = code.querySelector('path')?.getAttribute('d') ?? '';
  for (const [, left, top, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let y = Number(top) * SCALE; y < (Number(top) + 1) * SCALE; y++) {
      const from = y * side + Number(left) * SCALE;
      luma.fill(30, from, from + Number(length) * SCALE);
    }
  return new File([`P5 ${side} ${side} 255\n`, luma], name, { type: GRAYMAP });
}

/** What the printer gets: the sheets, in their order. */
async function printed(browser: Browser, dialog: HTMLElement, button: RegExp): Promise<Element[]> {
  const sheets: Element[] = [];
  window.print = () => {
    for (const sheet of document.querySelectorAll('[data-paper] > section'))
      sheets.push(sheet.cloneNode(true) as Element);
    window.dispatchEvent(new Event('afterprint'));
  };
  await within(dialog).findByRole('button', { name: button });
  await press(browser, button, dialog);
  await vi.waitFor(() => expect(document.querySelector('[data-paper]')).toBeNull());
  return sheets;
}

test('what is printed is in plain words and in codes, and comes back through imports', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await postMemory(member, 'A bell', BELL);
  await openSettings(browser);
  await press(browser, 'Export');
  const form = await screen.findByRole('dialog', { name: 'Export' });
  await browser.user.selectOptions(await within(form).findByLabelText('Form'), 'paper');
  await press(browser, 'Choose entries', form);
  const dialog = await screen.findByRole('dialog', { name: 'Paper' });
  const which = await within(dialog).findByLabelText<HTMLSelectElement>('Which entries');
  expect([...which.options].slice(0, 3).map(({ textContent }) => textContent)).toEqual([
    `Everything: ${1 + ANSWERS.length} entries`,
    `Answer: ${ANSWERS.length} entries`,
    'Memory: 1 entry',
  ]);
  const said = await within(dialog).findByText(/of A4 or Letter/);
  await browser.user.selectOptions(which, 'kind memory');
  await expectText(dialog, 'Nothing protects these sheets');
  const sheets = await printed(browser, dialog, /^Print \d sheets$/);
  // One place says it, before and after: screen readers notice what changes in it.
  expect([said.isConnected, said.getAttribute('role')]).toEqual([true, 'status']);
  expect(sheets.length).toBeGreaterThan(1);
  const [first] = sheets;
  expect(first?.textContent).toContain(`Sheet 1 of ${sheets.length}, of the vault paper of `);
  expect(first?.textContent).toContain('A bellMemory · written ');
  expect(sheets.map(({ textContent }) => textContent).join('')).toContain('It still rings. 🜏');
  expect(sheets.at(-1)?.textContent).toContain('import base64, hashlib, sys, zlib');
  for (const { textContent } of sheets) expect(textContent).not.toContain(ANSWERS[0]);

  await browser.open('/imports');
  const paper = await screen.findByRole('region', { name: 'From paper' });
  const photographs = () => within(paper).findByLabelText('Photographs of paper');
  const choose = within(paper).getByRole('button', { name: 'Choose photographs' });
  const blank = new File(['P5 40 40 255\n', new Uint8Array(1600).fill(255)], 'table.pgm', { type: GRAYMAP });
  await browser.user.upload(await photographs(), [
    blank,
    new File(['words'], 'letter.docx', { type: GRAYMAP }),
    new File(['%PDF-1.7\n%%EOF'], 'drawn.pdf', { type: 'application/pdf' }),
  ]);
  await expectText(paper, 'table.pgmNo code of a paper was found in it.');
  await expectText(paper, 'drawn.pdfNone of its pages is a JPEG.');
  await expectText(paper, 'letter.docxThis browser cannot open it as a picture.');
  // Whoever pressed it has the focus there still: it is the same button.
  expect(choose.isConnected).toBe(true);
  // These words repeat themselves, so that any one code has all of them: this is a spare one.
  const code = first?.querySelectorAll('svg')[1];
  if (!code) throw new Error('there is no code');
  await browser.user.upload(await photographs(), [photographOf(code, 'code.pgm')]);
  await expectText(paper, 'that is enough.');
  await press(browser, 'See what it says', paper);
  await press(browser, 'Import 1 memory');
  await screen.findByRole('heading', { name: 'Imported' });
  const { contentKey } = await keyIn(member);
  const kept = await member.call<Memory[]>('GET', '/api/memory-entries');
  const words = kept.map(({ sealId, encryptedContent }) =>
    openField(contentKey, 'memory', 'encryptedContent', { sealId }, encryptedContent ?? ''),
  );
  expect(await Promise.all(words)).toEqual([BELL, BELL]);
});

test('a list is printed for keeping as it is seen', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await postMemory(member, 'The ferry', 'It goes at noon.');
  await browser.open('/memory-vault');
  await findRow('The ferry');
  await press(browser, 'Print');
  await press(browser, 'Print for keeping', await screen.findByRole('dialog', { name: 'Print' }));
  const dialog = await screen.findByRole('dialog', { name: 'Paper' });
  const sheets = await printed(browser, dialog, /^Print 2 sheets$/);
  expect(sheets[0]?.textContent).toContain('It goes at noon.');
  await pressEscape(browser);
  await expectNoDialog();
});
