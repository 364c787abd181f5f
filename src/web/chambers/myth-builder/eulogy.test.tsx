// Eulogist Mode: whom it is for, which entries it is made from, in which order, and which tones are open to whom.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ritualTones, SOURCE_MAX } from '../../../shared/nouns/myth.ts';
import { DAY } from '../../../shared/time.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { HOLDING, refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { postMemory } from '../../testing/memories.ts';
import { beginMyth, mythForm, sealMyth, typeMyth } from '../../testing/myths.ts';
import { expectToast, fill, press } from '../../testing/steps.ts';
import { answerStories, END, MODEL, type StoryAnswers, words } from '../../testing/stories.ts';

const instance = anInstance();
const now = () => instance().clock.now();
const at = (daysAgo: number) => ({ createdAt: new Date(now() - daysAgo * DAY).toISOString() });

const postMoment = (member: Member, person: string, content: string, daysAgo: number) =>
  member.postSealed(
    '/api/relationship-entries',
    'relationship',
    { personName: person, encryptedContent: content },
    { eventType: 'moment', emotionalWeight: 3, ...at(daysAgo) },
  );

/** A member who has written of Nora, before the form of a eulogy that a model would read. */
async function beforeEulogy(more: (member: Member) => Promise<unknown> = async () => {}) {
  const member = await enterAsMember(instance());
  const answers = answerStories(member.browser.network);
  await postMoment(member, 'Nora', 'The second: she laughed.', 20);
  await postMoment(member, ' nora', 'The third: she slept.', 10);
  await postMoment(member, 'Father', 'He fixed the gate.', 5);
  await postMemory(member, { title: 'The ferry', encryptedContent: 'The first: Nora in the rain.' }, at(30));
  await postMemory(member, { title: 'Ignorance', encryptedContent: 'Signoras and their hats.' }, at(3));
  await more(member);
  await member.browser.open('/myth-builder');
  await screen.findByText('No myth has been made yet');
  await beginMyth(member);
  await typeMyth(member, { type: 'Eulogy' });
  await screen.findByText(/Say whom it is for/);
  return { member, answers };
}

const entries = () =>
  [...document.querySelectorAll<HTMLInputElement>('[role="dialog"] li input[type="checkbox"]')].map(
    (box) => `${box.checked ? '+' : '-'} ${box.closest('li')?.textContent}`,
  );
const expectEntries = (...parts: string[]) =>
  waitFor(() => expect(entries()).toEqual(parts.map((part) => expect.stringContaining(part))));
const toggle = async ({ browser }: Member, name: RegExp) =>
  browser.user.click(await screen.findByRole('checkbox', { name }));

/** Sends the words to the model, and answers what they are. */
async function sourceSent(member: Member, answers: StoryAnswers) {
  await member.browser.user.click(await screen.findByRole('radio', { name: 'A language model' }));
  const consent = screen.queryByRole('checkbox', { name: /^I agree/ });
  if (consent) await member.browser.user.click(consent);
  await press(member.browser, 'Send the words', await mythForm());
  await waitFor(() => expect(answers.asked.length).toBeGreaterThan(0));
  return answers.asked.at(-1) as NonNullable<(typeof answers.asked)[number]>;
}

test('moments of the person are chosen, memories that mention them are offered, and all go in the order of what happened', async () => {
  const { member, answers } = await beforeEulogy();
  await typeMyth(member, { person: 'Nora' });
  await expectEntries('+ nora: Beautiful Moment', '+ Nora: Beautiful Moment', '- The ferry');
  await screen.findByText('2 chosen.');
  await toggle(member, /The ferry/);
  await screen.findByText('3 chosen.');
  await typeMyth(member, { source: 'And the last word is mine.', tone: 'Healing' });
  const { request, send } = await sourceSent(member, answers);
  expect(request).toEqual({
    storyType: 'eulogy',
    personName: 'Nora',
    emotionalTone: 'healing',
    sourceContent:
      'The first: Nora in the rain.\n\nThe second: she laughed.\n\nThe third: she slept.\n\nAnd the last word is mine.',
    writerId: MODEL.writerId,
  });
  send(words('For Nora\n\nShe laughed.'), END);
  await screen.findByRole('heading', { name: 'Before it is sealed' });
  await sealMyth(member);
  const reader = await screen.findByRole('heading', { name: 'For Nora' });
  const shown = reader.closest('[role="dialog"]')?.textContent;
  for (const part of ['Eulogy', 'Healing', 'Of Nora', 'Written by']) expect(shown).toContain(part);
});

test('every entry is found by a search; all or none of those are chosen; the choice survives a reload', async () => {
  const { member, answers } = await beforeEulogy();
  await typeMyth(member, { person: 'Nora' });
  await expectEntries('+ nora', '+ Nora', '- The ferry');
  const search = screen.getByLabelText('Search your memories and moments');
  await fill(member.browser, search, 'gate');
  await expectEntries('- Father');
  await toggle(member, /Father/);
  await fill(member.browser, search, '');
  // What was chosen besides stays in sight.
  await expectEntries('+ Father', '+ nora', '+ Nora', '- The ferry');
  await press(member.browser, 'Choose all 4', await mythForm());
  await expectEntries('+ Father', '+ nora', '+ Nora', '+ The ferry');
  await press(member.browser, 'Choose none of these', await mythForm());
  await screen.findByText('0 chosen.');
  await toggle(member, /The ferry/);
  await expectDraft(member, '"picked":["memory:');
  await member.browser.reload();
  await expectEntries('- nora', '- Nora', '+ The ferry');
  expect((await sourceSent(member, answers)).request.sourceContent).toBe('The first: Nora in the rain.');
});

test('another person begins another choice, and one of whom nothing is written is told', async () => {
  const { member } = await beforeEulogy();
  await typeMyth(member, { person: 'Nora' });
  await expectEntries('+ nora', '+ Nora', '- The ferry');
  await typeMyth(member, { person: 'Father' });
  await expectEntries('+ Father');
  await typeMyth(member, { person: 'Ora' });
  await screen.findByText(/Nothing in your ledger or your memories names this person/);
  await press(member.browser, 'Make the story', await mythForm());
  await expectToast('Incomplete Story Request', 'Please select a story type and provide source content.');
  const words = await within(await mythForm()).findByLabelText(/^In your own words/);
  await screen.findByText('Tick at least one entry above, or write something here.');
  expect(words.getAttribute('aria-invalid')).toBe('true');
});

test('what is locked or of another key is counted and not offered', async () => {
  const { member } = await beforeEulogy(async (member) => {
    const timeLockUntil = new Date(now() + DAY).toISOString();
    await postMemory(member, { title: 'Nora, later', encryptedContent: 'Not yet.' }, { timeLockUntil });
    await member.call('POST', '/api/memory-entries', { title: 'bm90', encryptedContent: 'bm90' });
  });
  await typeMyth(member, { person: 'Nora' });
  await expectEntries('+ nora', '+ Nora', '- The ferry');
  await screen.findByText(/Not offered: 1 is time-locked, 1 cannot be read with this key\./);
});

test('more than a story may be made from is said and not sent', async () => {
  const { member, answers } = await beforeEulogy((member) =>
    postMoment(member, 'Nora', 'long '.repeat(SOURCE_MAX / 5), 1),
  );
  await typeMyth(member, { person: 'Nora' });
  await screen.findByText('3 chosen.');
  await screen.findByText('60,048 of 60,000');
  await press(member.browser, 'Make the story', await mythForm());
  await screen.findByText(/These are 60,048 characters. A story is made from 60,000 at most./);
  expect(answers.asked).toEqual([]);
});

const option = (label: string) => screen.findByRole<HTMLOptionElement>('option', { name: label });

test('further tones are open to all where no token is watched', async () => {
  const { member, answers } = await beforeEulogy();
  for (const { label } of ritualTones)
    await waitFor(async () => expect((await option(label)).disabled).toBe(false));
  expect(screen.queryByText(/are for those who hold/)).toBeNull();
  await typeMyth(member, { person: 'Nora', tone: 'Requiem' });
  await screen.findByText('2 chosen.');
  expect((await sourceSent(member, answers)).request.emotionalTone).toBe('requiem');
});

test('where a token is watched, further tones are shown to all, and open to those with the rituals', async () => {
  const { member, answers } = await beforeEulogy(async ({ browser }) =>
    browser.network.intercept(async (request, forward) =>
      new URL(request.url).pathname === '/api/holders/check' ? refusal('no-holders') : forward(),
    ),
  );
  for (const { label } of ritualTones) expect((await option(label)).disabled).toBe(true);
  await screen.findByText(/Requiem, Vigil, Blessing and Laughter are for those who hold 100 LAT or more/);
  screen.getByRole('link', { name: 'in Settings' });
  await typeMyth(member, { type: 'Sacred Biography' });
  expect(screen.queryByRole('option', { name: 'Requiem' })).toBeNull();

  member.browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === '/api/linked-wallet'
      ? Response.json({
          ...{ address: '7'.repeat(32), linkedAt: new Date(now()).toISOString(), isCurrent: true },
          holding: HOLDING,
        })
      : forward(),
  );
  await member.browser.reload();
  await typeMyth(member, { type: 'Eulogy', person: 'Nora' });
  await waitFor(async () => expect((await option('Requiem')).disabled).toBe(false));
  expect(screen.queryByText(/are for those who hold/)).toBeNull();
  await typeMyth(member, { tone: 'Requiem' });
  await screen.findByText('2 chosen.');
  expect((await sourceSent(member, answers)).request.emotionalTone).toBe('requiem');
});

test('entries that cannot be fetched are told, and fetched again when that is wanted', async () => {
  const member = await enterAsMember(instance());
  await postMoment(member, 'Nora', 'She laughed.', 1);
  await member.browser.open('/myth-builder');
  await screen.findByText('No myth has been made yet');
  await beginMyth(member);
  member.browser.network.cut();
  await typeMyth(member, { type: 'Eulogy', person: 'Nora' });
  const problem = await screen.findByText(/The server could not be reached/);
  member.browser.network.cut(false);
  const retry = within(problem.parentElement as HTMLElement).getByRole('button', { name: 'Try again' });
  await member.browser.user.click(retry);
  await expectEntries('+ Nora');
});
