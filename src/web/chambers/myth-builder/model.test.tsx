// A language model that makes stories: it is named and agreed to before it reads anything, its words come one after the
// other, and what fails is told, with the Loom offered and never taken unasked.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { planLimits } from '../../../shared/plans.ts';
import { openTestInstance } from '../../../testing/instance.ts';
import { withModel } from '../../../testing/model.ts';
import { A_STORY, openStoryService } from '../../../testing/story-service.ts';
import { stripeEnv } from '../../../testing/stripe/service.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';
import { asPerson, enterAsMember, type Member } from '../../testing/member.ts';
import { beginMyth, mythForm, sealMyth, typeMyth } from '../../testing/myths.ts';
import { unreachable } from '../../testing/network.ts';
import {
  dismissToasts,
  expectNoDialog,
  expectToast,
  press,
  pressEscape,
  textIn,
} from '../../testing/steps.ts';
import { answerStories, END, LOOM_ALONE, MODEL, type StoryAnswers, words } from '../../testing/stories.ts';

const instance = anInstance();
const WORDS = 'We met at the ferry, and it rained.';
const CONSENT = `I agree that ${MODEL.writer} reads these words`;

interface Before {
  member: Member;
  answers: StoryAnswers;
}

/** A member before a form with words in it, on a server with a model. */
async function beforeModel(): Promise<Before> {
  const member = await enterAsMember(instance());
  const answers = answerStories(member.browser.network);
  await member.browser.open('/myth-builder');
  await screen.findByText('No myth has been made yet');
  await beginMyth(member);
  await typeMyth(member, { type: 'Love Mythology', person: 'Nora', duration: 'a summer', source: WORDS });
  return { member, answers };
}

const choose = async ({ browser }: Member, name: string) =>
  browser.user.click(await screen.findByRole('radio', { name }));
const agree = async ({ browser }: Member) =>
  browser.user.click(await screen.findByRole('checkbox', { name: CONSENT }));
const send = async ({ browser }: Member) => press(browser, 'Send the words', await mythForm());

/** The story that was asked for last. */
const story = ({ answers }: Before, count = 1) =>
  waitFor(() => {
    expect(answers.asked).toHaveLength(count);
    return answers.asked[count - 1] as NonNullable<(typeof answers.asked)[number]>;
  });

async function sent(before: Before) {
  await choose(before.member, 'A language model');
  await agree(before.member);
  await send(before.member);
  return story(before);
}

const heading = (name: string) => screen.findByRole('heading', { name });
const field = async (label: string) => within(await mythForm()).findByLabelText(label);

test('the Loom comes first, and a model reads nothing before it was named and agreed to', async () => {
  const before = await beforeModel();
  const { member, answers } = before;
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'The Loom' }).checked).toBe(true);
  await choose(member, 'A language model');
  const form = await mythForm();
  expect(form.textContent).toContain(`go to ${MODEL.writer} in the clear`);
  expect(form.textContent).toContain('Up to 20 stories in 24 hours');
  await send(member);
  await screen.findByText('Agree that it reads your words, or choose the Loom.');
  expect(answers.asked).toEqual([]);
  await agree(member);
  await send(member);
  expect((await story(before)).request).toEqual({
    storyType: 'relationship',
    sourceContent: WORDS,
    personName: 'Nora',
    relationshipDuration: 'a summer',
    writerId: MODEL.writerId,
  });
});

test('words are shown as they come and told to hearers now and then; the draft is sealed with who wrote it', async () => {
  const before = await beforeModel();
  const { member } = before;
  const written = await sent(before);
  await heading('Being written');
  const shown = () => document.querySelector('[role="dialog"]')?.textContent ?? '';
  expect(shown()).toContain('Waiting for the first words');
  written.send(words('The Ferry\n'), words('\nRain, '));
  await waitFor(() => expect(shown()).toContain('Rain,'));
  const status = () =>
    [...document.querySelectorAll('[role="dialog"] [role="status"]')].map((e) => e.textContent).join('');
  expect(status()).toBe('');
  written.send(words('and rain again. '.repeat(20)));
  await waitFor(() => expect(status()).toBe('50 words so far'));
  written.send(END);
  await heading('Before it is sealed');
  expect(document.activeElement?.textContent).toBe('Before it is sealed');
  expect(textIn(await field('Title'))).toBe('The Ferry');
  expect(textIn(await field('Story'))).toMatch(/^Rain, and rain again/);
  expect((await mythForm()).textContent).toContain(`Written by ${MODEL.writer}.`);
  await expectDraft(member, 'The Ferry', MODEL.writer, WORDS);
  await sealMyth(member);
  await expectToast('Myth Created', `What it was made from was read by ${MODEL.writer}.`);
  const reader = await heading('The Ferry');
  expect(reader.closest('[role="dialog"]')?.textContent).toContain(`Written by ${MODEL.writer}`);
});

test('consent is remembered for this model and account, asked for again when that is wanted, and never passed on', async () => {
  const before = await beforeModel();
  const { member, answers } = before;
  (await sent(before)).send(words('One\n\nStory.'), END);
  await heading('Before it is sealed');
  // Another time it is not asked for.
  await press(member.browser, 'Change what it is made from', await mythForm());
  await screen.findByText(`You agreed that ${MODEL.writer} reads what you send.`);
  await press(member.browser, 'Withdraw consent', await mythForm());
  await screen.findByRole('checkbox', { name: CONSENT });
  await agree(member);
  await send(member);
  (await story(before, 2)).send(words('Two\n\nStories.'), END);
  await waitFor(async () => expect(textIn(await field('Title'))).toBe('Two'));

  // Also in a page that begins anew; another model is asked about anew.
  await member.browser.reload();
  await press(member.browser, 'Change what it is made from', await mythForm());
  await screen.findByText(/^You agreed that/);
  answers.writer = { ...MODEL, writer: 'other at words.example', writerId: 'b'.repeat(64) };
  await member.browser.reload();
  await press(member.browser, 'Change what it is made from', await mythForm());
  await screen.findByRole('checkbox', { name: 'I agree that other at words.example reads these words' });
  expect(screen.queryByText(/^You agreed that/)).toBeNull();
  // And so is another account in this browser.
  answers.writer = MODEL;
  const other = await enterAsMember(instance());
  answerStories(other.browser.network);
  await other.browser.open('/myth-builder');
  await screen.findByText('No myth has been made yet');
  await beginMyth(other);
  await choose(other, 'A language model');
  await screen.findByRole('checkbox', { name: CONSENT });
});

test('a server that was set up anew since the form was opened gets no words', async () => {
  const before = await beforeModel();
  const { member, answers } = before;
  await choose(member, 'A language model');
  await agree(member);
  answers.writer = { ...MODEL, writer: 'stranger at elsewhere.example', writerId: 'c'.repeat(64) };
  await send(member);
  await expectToast('Failed to Generate Myth', 'Nothing was sent.');
  expect(answers.asked).toEqual([]);
  await screen.findByRole('checkbox', {
    name: 'I agree that stranger at elsewhere.example reads these words',
  });
});

test('stopping ends the answer and keeps what has come; before any words it leads back', async () => {
  const before = await beforeModel();
  const { member } = before;
  const first = await sent(before);
  await heading('Being written');
  await press(member.browser, 'Stop', await mythForm());
  await heading('Create Sacred Myth');
  await waitFor(() => expect(first.isStopped).toBe(true));
  expect(textIn(await field('Source'))).toBe(WORDS);
  await send(member);
  const second = await story(before, 2);
  second.send(words('The Ferry\n\nRain, and'));
  await screen.findByText(/Rain, and/);
  await press(member.browser, 'Stop', await mythForm());
  await heading('Before it is sealed');
  expect((await mythForm()).textContent).toContain('It is not finished');
  expect(textIn(await field('Story'))).toBe('Rain, and');
  await waitFor(() => expect(second.isStopped).toBe(true));

  // It can be tried again from there, and a try that fails costs nothing.
  await press(member.browser, 'Try again', await mythForm());
  const third = await story(before, 3);
  third.send(words('Another\n\nOne.'), { type: 'error', code: 'writer-slow', message: 'It took too long.' });
  await expectToast('Failed to Generate Myth', 'It took too long. Your draft is still here.');
  expect(textIn(await field('Story'))).toBe('Rain, and');
});

test.each([
  ['away', 'writer-away', 'could not be reached'],
  ['busy', 'writer-busy', 'busy with other stories'],
  ['used up', 'stories-used-up', 'as this server allows in 24 hours'],
  ['at work in another tab', 'story-underway', 'perhaps in another tab'],
  ['taken away', 'writer-off', 'No language model is configured'],
] as const)('a model that is %s is told, the Loom is offered, and the words stay', async (_, code, says) => {
  const before = await beforeModel();
  const { member, answers } = before;
  answers.instead = () => refusal(code);
  await choose(member, 'A language model');
  await agree(member);
  await send(member);
  await expectToast('Failed to Generate Myth', says);
  const told = await screen.findByRole('alert');
  expect(told.textContent).toContain(says);
  expect(textIn(await field('Source'))).toBe(WORDS);
  // Nothing was made meanwhile, by nobody.
  await heading('Create Sacred Myth');
  await dismissToasts();
  await press(member.browser, 'Let the Loom make it', await mythForm());
  await heading('Before it is sealed');
  expect((await mythForm()).textContent).toContain('Made by the Loom, from your words and lines of its own');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Before it is sealed');
});

test('a story that is cut off in the middle is kept as far as it came, and can be tried again', async () => {
  const before = await beforeModel();
  const { member } = before;
  const first = await sent(before);
  first.send(words('The Ferry\n\nRain, and'));
  await screen.findByText(/Rain, and/);
  first.close();
  await expectToast('Failed to Generate Myth', 'The connection was cut before the whole answer had arrived.');
  await heading('Before it is sealed');
  expect(textIn(await field('Story'))).toBe('Rain, and');
  await press(member.browser, 'Discard', await mythForm());
  await press(member.browser, 'Discard it', await screen.findByRole('alertdialog'));
  await heading('Create Sacred Myth');
  expect(textIn(await field('Source'))).toBe(WORDS);
  before.answers.instead = () => {
    throw unreachable();
  };
  await send(member);
  await expectToast('Failed to Generate Myth', 'The server could not be reached.');
  before.answers.instead = null;
  await press(member.browser, 'Try again', await mythForm());
  (await story(before, 2)).send(words('Whole\n\nAnd true.'), END);
  await heading('Before it is sealed');
});

test('a page that is left stops what it has asked for', async () => {
  const before = await beforeModel();
  const written = await sent(before);
  await before.member.browser.open('/');
  await waitFor(() => expect(written.isStopped).toBe(true));
});

test('without a model only the Loom is there, and a server that cannot say is told', async () => {
  const member = await enterAsMember(instance());
  const answers = answerStories(member.browser.network, LOOM_ALONE);
  await member.browser.open('/myth-builder');
  await screen.findByText('No myth has been made yet');
  await beginMyth(member);
  expect(screen.queryByRole('radio')).toBeNull();
  await pressEscape(member.browser);
  await expectNoDialog();
  answers.broken = true;
  await member.browser.reload();
  await screen.findByText('No myth has been made yet');
  await beginMyth(member);
  await screen.findByText(/could not be found out just now/);
  await typeMyth(member, { type: 'Sacred Biography', source: WORDS });
  await press(member.browser, 'Make the story', await mythForm());
  await heading('Before it is sealed');
});

test('a plan that has no story left this month leads to the one that has more, and the words stay', async () => {
  const service = await openStoryService();
  const { env, ...model } = withModel(service);
  // Nobody asks the payment provider here.
  const paid = { ...env, ...stripeEnv({ url: 'http://127.0.0.1:9' }) };
  const server = await openTestInstance({ ...model, env: paid, clock: instance().clock });
  try {
    const member = await enterAsMember(server);
    for (let n = 0; n < (planLimits.free.storiesPerMonth ?? 0); n += 1) {
      const request = { storyType: 'biography', sourceContent: WORDS };
      await (await asPerson(server, member).request('POST', '/api/story-drafts', { body: request })).text();
    }
    await member.browser.open('/myth-builder');
    await screen.findByText('No myth has been made yet');
    await beginMyth(member);
    await typeMyth(member, { type: 'Sacred Biography', source: WORDS });
    await choose(member, 'A language model');
    await member.browser.user.click(
      await screen.findByRole('checkbox', { name: /^I agree that llama3 at 127/ }),
    );
    await send(member);
    const form = within(await mythForm());
    expect((await form.findByRole('alert')).textContent).toMatch(/^Your plan makes 5 stories in a month/);
    const link = await form.findByRole('link', { name: 'See the Enhanced plan' });
    expect(link.getAttribute('href')).toBe('/checkout');
    expect(textIn(await field('Source'))).toBe(WORDS);
  } finally {
    await server.close();
    await service.close();
  }
});

test('with a real server, the words of its model arrive, and stopping ends its work', async () => {
  const service = await openStoryService();
  const server = await openTestInstance({ ...withModel(service), clock: instance().clock });
  try {
    const member = await enterAsMember(server);
    await member.browser.open('/myth-builder');
    await screen.findByText('No myth has been made yet');
    await beginMyth(member);
    await typeMyth(member, { type: 'Sacred Biography', source: WORDS });
    await choose(member, 'A language model');
    await member.browser.user.click(
      await screen.findByRole('checkbox', { name: /^I agree that llama3 at 127/ }),
    );
    await send(member);
    await heading('Before it is sealed');
    expect(textIn(await field('Title'))).toBe(A_STORY[0]);
    expect(textIn(await field('Story'))).toBe('It was never dry.');
    expect(service.asked[0]?.messages.user).toContain(WORDS);

    service.behave({ says: ['The Well\n\nIt was'], ends: 'hangs' });
    await press(member.browser, 'Try again', await mythForm());
    await screen.findByText('It was');
    await press(member.browser, 'Stop', await mythForm());
    await heading('Before it is sealed');
    await service.left();
    expect(textIn(await field('Story'))).toBe('It was');

    service.behave({ status: 500 });
    await press(member.browser, 'Try again', await mythForm());
    await expectToast('Failed to Generate Myth', 'could not be reached, or did not answer as it should');
  } finally {
    await server.close();
    await service.close();
  }
});
