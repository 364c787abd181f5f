// Guardians below the browser: an author makes a kit, two guardians bring their sheets together, and the vault opens after the
// wait, unless its author is there. The secret of a kit is in no request.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { newKitSecret, wrapUnderKit } from '../../../crypto/guardian-kit.ts';
import { sheetFromText, wordsFromSheet } from '../../../crypto/guardian-sheet.ts';
import { generateVaultKey } from '../../../crypto/vault-key.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { isWholeKit, kitList, type WholeKit } from '../../../vault/outbox/kit-writer.ts';
import { inAnotherBrowser } from '../../testing/browser.tsx';
import { aDevice } from '../../testing/devices.ts';
import { anInstanceOnWatch } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { interceptOnce, type Network } from '../../testing/network.ts';
import { expectNoDialog, expectToast, fill, press } from '../../testing/steps.ts';

const watched = anInstanceOnWatch();

/** Makes a kit of three in the settings, of which two are enough. */
async function makeKit({ browser }: Member): Promise<void> {
  await browser.open('/settings/recovery');
  const part = await screen.findByRole('region', { name: 'Guardians' });
  await press(browser, 'Make a kit', part);
  const dialog = await screen.findByRole('dialog', { name: 'Make a kit' });
  await fill(browser, within(dialog).getByLabelText('Name of the kit'), 'The family');
  for (const [i, name] of ['Imre', 'Ada', 'Noor'].entries())
    await fill(browser, within(dialog).getByLabelText(`Guardian ${i + 1}`), name);
  await press(browser, 'Make the sheets', dialog);
  const sheets = await screen.findByRole('dialog', { name: 'The sheets of “The family”' });
  const printed = document.querySelector('[data-printed]')?.textContent;
  expect(printed).toContain('Sheet 1 of 3 · 2 needed');
  expect(printed).toContain('Noor');
  // This server stands on the computer that asks for it: nobody else's browser would find it by these sheets.
  expect(within(sheets).getByRole('alert').textContent).toMatch(/^Do not print this yet/);
  await press(browser, 'I have handed them over', sheets);
  await expectNoDialog();
}

async function kitOf(member: Member): Promise<WholeKit> {
  const [kit] = await aDevice(watched().instance, member).vault.lists.load(kitList);
  if (!kit || !isWholeKit(kit)) throw new Error('there is no kit');
  return kit;
}

const wordsOf = ({ details }: WholeKit, place: number) =>
  wordsFromSheet(sheetFromText(details.guardians[place]?.sheet ?? '')).join(' ');

/** What two guardians see once their sheets are together and they have pressed. */
const together = <T,>(
  kit: WholeKit,
  look: (press: (name: string) => Promise<void>) => Promise<T>,
  bend: (network: Network) => void = () => {},
): Promise<T> =>
  inAnotherBrowser(watched().instance, async (browser) => {
    bend(browser.network);
    await browser.open('/sheets');
    await fill(browser, await screen.findByLabelText('The words of a sheet'), wordsOf(kit, 2));
    await fill(browser, await screen.findByLabelText('Sheet 2'), wordsOf(kit, 0));
    await screen.findByText('These sheets are enough.');
    expect(browser.network.asked).toEqual([]);
    await screen.findByText(/^The vault’s owner is told now/);
    await press(browser, 'Ask for the vault');
    return look((name) => press(browser, name));
  });

test('two of three guardians open a vault after its wait, and its author is told in between', async () => {
  const member = await enterAsMember(watched().instance);
  const sent: string[] = [];
  member.browser.network.intercept(async (request, forward) => {
    sent.push(await request.clone().text());
    return forward();
  });
  await makeKit(member);
  const kit = await kitOf(member);
  expect(sent.join()).not.toContain(kit.details.secret);
  await together(kit, async () => {
    const heading = await screen.findByRole('heading', { name: 'It opens in about 14 days' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });
  await member.browser.open('/');
  await screen.findByRole('region', { name: 'Your guardians ask for your vault' });
  // Nobody is there: a page that stands open is no sign of life. And no mail tells them, so that it is two weeks late.
  await watched().live(29 * DAY, { deliver: true, tick: 6 * HOUR });
  const { wordsFromKey } = await import('../../../crypto/words.ts');
  await together(kit, async () => {
    const heading = await screen.findByRole('heading', { name: 'The words of the vault' });
    // Nothing reads them aloud by itself.
    expect(heading.closest('[aria-live="polite"]')).toBeNull();
    const shown = within(screen.getByRole('list', { name: 'Your words' })).getAllByRole('listitem');
    expect(shown.map(({ textContent }) => textContent.replace(/^\d+/, ''))).toEqual(wordsFromKey(member.key));
    screen.getByRole('link', { name: 'Open the vault here' });
  });
});

test('an author who is there stops it, sees it under the kit, and ends every sheet by removing it', async () => {
  const member = await enterAsMember(watched().instance);
  await makeKit(member);
  const kit = await kitOf(member);
  await together(kit, () => screen.findByRole('heading', { name: /^It opens in about/ }));
  await member.browser.open('/settings/recovery');
  const part = await screen.findByRole('region', { name: 'Guardians' });
  await within(part).findByText(/^Asked for on .*, opens in about 14 days$/);
  await press(member.browser, 'Stop it', part);
  await expectToast('It is stopped');
  await within(part).findByText('Nobody asks now');
  // Also for whoever signs in, which stops it before there is anything to read.
  await member.browser.open('/');
  await screen.findByRole('region', { name: 'Your guardians were stopped' });
  await together(kit, async (pressed) => {
    await screen.findByRole('heading', { name: 'It was stopped' });
    await pressed('Ask again');
    await screen.findByRole('heading', { name: /^It opens in about/ });
  });
  await member.browser.open('/settings/recovery');
  const again = await screen.findByRole('region', { name: 'Guardians' });
  await press(member.browser, 'Remove “The family”', again);
  await press(member.browser, 'Remove it');
  await expectToast('Kit removed');
  await waitFor(() => expect(again.querySelector('li')).toBeNull());
  await together(kit, () => screen.findByText(/^This server knows no vault that these sheets open/));
});

test('1P06: a key of the server’s own in the place of the vault’s is told of, and no words are shown', async () => {
  const member = await enterAsMember(watched().instance);
  await makeKit(member);
  const kit = await kitOf(member);
  // It has any key, and not the secret under which one would have to be wrapped.
  const wrap = await wrapUnderKit(newKitSecret(), generateVaultKey());
  await together(
    kit,
    async () => {
      await screen.findByText(/^The server has given something that these sheets do not open\./);
      expect(screen.queryByRole('list', { name: 'Your words' })).toBeNull();
    },
    (network) =>
      interceptOnce(network, /^POST \/api\/guardian-kits\/ask$/, async () =>
        Response.json({ state: 'open', remaining: null, wrap }),
      ),
  );
});

test('whoever prints sheets again reads that old ones live on, and gets new ones under another secret', async () => {
  const member = await enterAsMember(watched().instance);
  const { browser } = member;
  await makeKit(member);
  const before = await kitOf(member);
  const part = await screen.findByRole('region', { name: 'Guardians' });
  await press(browser, 'Print the sheets of “The family”', part);
  const sheets = await screen.findByRole('dialog', { name: 'The sheets of “The family”' });
  within(sheets).getByText(/Old sheets live on, whatever is printed\. Only a new secret ends them/);
  await press(browser, 'New sheets', sheets);
  await press(browser, 'Make new sheets', await screen.findByRole('dialog', { name: 'New sheets' }));
  await press(
    browser,
    'I have handed them over',
    await screen.findByRole('dialog', { name: /^The sheets of/ }),
  );
  // Both are there until the old one is removed.
  await press(browser, 'Remove it', await screen.findByRole('alertdialog', { name: 'Remove “The family”?' }));
  await expectToast('Kit removed');
  const after = await kitOf(member);
  expect(after.details.guardians.map(({ name }) => name)).toEqual(['Imre', 'Ada', 'Noor']);
  expect(after.details.secret).not.toBe(before.details.secret);
  await together(before, () => screen.findByText(/^This server knows no vault that these sheets open/));
});
