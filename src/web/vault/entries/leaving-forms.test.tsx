// A server that hangs holds nobody in a form: each says after ten seconds that the words are safe, which is true, and lets go.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { holdAnswer } from '../../testing/mishaps.ts';
import { beginMyth, mythForm, typeMyth, weaveMyth } from '../../testing/myths.ts';
import { expectNoDialog, expectToast, fill, keptIn, press, textIn } from '../../testing/steps.ts';
import { holdTenSeconds } from '../../testing/ten-seconds.ts';

const instance = anInstance();
const passTenSeconds = holdTenSeconds();

const SAFE = /^The server has not answered yet\. Your words are safe in this browser/;
const drafts = ({ user }: Member) => keptIn(`latebra.draft:${user.id}`);

async function open(path: string): Promise<Member> {
  const member = await enterAsMember(instance());
  await member.browser.open(path);
  await member.browser.network.idle();
  return member;
}

/** Waits until the form is held by the server, and lets ten seconds pass. */
async function hang(button: string, says: RegExp = SAFE): Promise<void> {
  const held = () => screen.getByRole<HTMLButtonElement>('button', { name: button });
  await waitFor(() => expect(held().disabled).toBe(true));
  expect(screen.queryByText(says)).toBeNull();
  passTenSeconds();
  await screen.findByText(says);
  await waitFor(() => expect(held().disabled).toBe(false));
}

test('a ghost thought: it is left, sent once more after a reload, and kept once', async () => {
  const member = await open('/ghost-mode/new');
  const { browser } = member;
  const release = holdAnswer(browser, 'POST /api/ghost-entries');
  const words = () => screen.findByRole('textbox', { name: 'Thought' });
  await fill(browser, await words(), 'It fades.');
  await expectDraft(member, 'It fades.');
  await press(browser, 'Seal the thought');
  await hang('Cancel');
  await press(browser, 'Cancel');
  await expectNoDialog();
  await browser.open('/ghost-mode/new');
  await waitFor(async () => expect(textIn(await words())).toBe('It fades.'));
  await press(browser, 'Seal the thought');
  await expectToast('Ghost Entry Created');
  expect(await member.call<unknown[]>('GET', '/api/ghost-entries')).toHaveLength(1);
  release();
});

test('a ghost thought that arrives after its form was left is told, and is no draft any more', async () => {
  const member = await open('/ghost-mode/new');
  const release = holdAnswer(member.browser, 'POST /api/ghost-entries');
  await fill(member.browser, await screen.findByRole('textbox', { name: 'Thought' }), 'It fades.');
  await press(member.browser, 'Seal the thought');
  await hang('Cancel');
  await press(member.browser, 'Cancel');
  release();
  await expectToast('Sealed after all');
  await waitFor(() => expect(drafts(member)).toBe(0));
});

test('a final breath: its words can be put aside while the server hangs, and arrive', async () => {
  const member = await open('/final-breath');
  const { browser } = member;
  const release = holdAnswer(browser, 'POST /api/final-breath');
  await press(browser, 'Begin the Final Rite');
  await fill(browser, await screen.findByRole('textbox', { name: 'Your final breath' }), 'Keep the bees.');
  await expectDraft(member, 'Keep the bees.');
  await press(browser, 'Seal Final Breath');
  await hang('Not now');
  await press(browser, 'Not now');
  await screen.findByRole('button', { name: 'Begin the Final Rite' });
  release();
  await screen.findByRole('button', { name: 'Release Final Breath' });
  await waitFor(() => expect(drafts(member)).toBe(0));
});

test('a myth: its draft is left while it is being sealed, and is told once it has arrived', async () => {
  const member = await open('/myth-builder');
  await screen.findByText('No myth has been made yet');
  const { browser } = member;
  const release = holdAnswer(browser, 'POST /api/myth-stories');
  await beginMyth(member);
  await typeMyth(member, {
    type: 'Sacred Biography',
    source: 'She kept bees. She sang to them each morning.',
  });
  await weaveMyth(member);
  await press(browser, 'Seal Myth', await mythForm());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Leave this form' })).toBeNull());
  passTenSeconds();
  await screen.findByText(SAFE);
  await press(browser, 'Leave this form');
  await expectNoDialog();
  release();
  await expectToast('Sealed after all');
  await waitFor(() => expect(drafts(member)).toBe(0));
});

test('a one-time link has no words to lose: its form can be left, and the link is told', async () => {
  const member = await enterAsMember(instance());
  await member.postSealed('/api/memory-entries', 'memory', {
    title: 'The bell',
    encryptedContent: 'It rings.',
  });
  const { browser } = member;
  await browser.open('/sacred-keys/new');
  const form = async () => within(await screen.findByRole('dialog'));
  await browser.user.selectOptions(await (await form()).findByLabelText('Content type'), 'Memory');
  const entry = await (await form()).findByLabelText('Specific entry');
  await browser.user.selectOptions(entry, await within(entry).findByRole('option', { name: /The bell/ }));
  const release = holdAnswer(browser, 'POST /api/shareable-keys');
  await press(browser, 'Create Sacred Key', await screen.findByRole('dialog'));
  await hang(
    'Cancel',
    /^The server has not answered yet\. You may leave this form: your entry stays as it is/,
  );
  await press(browser, 'Cancel');
  await expectNoDialog();
  release();
  await expectToast('The link was made after all', 'It stands under Sacred Keys.');
});
