// The Myth Builder below the browser: weaving, drafts, sealing, reading, changing and finding. What a model does is told in
// model.test.tsx, and eulogies in eulogy.test.tsx.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { SOURCE_MAX } from '../../../shared/nouns/myth.ts';
import { storyTypes } from '../../../shared/nouns/story-types.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { answerInstead } from '../../testing/mishaps.ts';
import { beginMyth, MYTHS, mythForm, postMyth, sealMyth, typeMyth, weaveMyth } from '../../testing/myths.ts';
import {
  expectNoDialog,
  expectRows,
  expectToast,
  fill,
  findRow,
  keptIn,
  press,
  pressEscape,
  textIn,
} from '../../testing/steps.ts';
import { WorkerHere } from '../../testing/workers.ts';

const instance = anInstance();

const BEES = `My grandmother kept bees behind the old rectory. Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else.

We ate plum cake on the stone wall, and she told me about the flooded village and the bell that still rings under the lake. When she died the hives were silent for a week.`;

async function openMyths(): Promise<Member> {
  const member = await enterAsMember(instance());
  await member.browser.open('/myth-builder');
  await screen.findByText('No myth has been made yet');
  return member;
}

async function field(label: string | RegExp): Promise<HTMLElement> {
  return within(await mythForm()).findByLabelText(label);
}

async function answer({ browser }: Member, label: string): Promise<void> {
  await press(browser, label, await screen.findByRole('alertdialog'));
}

/** Opens a row for reading. */
async function read({ browser }: Member, row: HTMLElement): Promise<HTMLElement> {
  const [opener] = within(row).getAllByRole('button');
  if (opener) await browser.user.click(opener);
  return mythForm();
}

test('a story is woven, changed and sealed, and nothing of its source leaves the browser', async () => {
  const member = await openMyths();
  const { browser } = member;
  const sent: string[] = [];
  browser.network.intercept(async (request, forward) => {
    sent.push(request.url, await request.clone().text());
    return forward();
  });
  await beginMyth(member);
  expect((await mythForm()).textContent).toContain('nothing of what you write here leaves it');
  await typeMyth(member, { type: 'Sacred Biography', source: BEES, tone: 'Melancholy' });
  await weaveMyth(member);
  expect((await mythForm()).textContent).toContain('Made by the Loom, from your words and lines of its own.');
  expect(textIn(await field('Story'))).toContain('torn blue coat');
  // Who could make it was asked, whether a token is watched, and perhaps what was written elsewhere; nothing else.
  const beside = /\/api\/(book(\?from=\d+)?|holders\/check)$/;
  expect(sent.filter((text) => text !== '' && !beside.test(text))).toEqual([
    expect.stringMatching(/^\S+\/api\/story-writer$/),
  ]);

  await fill(browser, await field('Title'), 'The hives');
  await sealMyth(member);
  await expectToast('Myth Created', 'Nobody else can read it.');
  const reader = await screen.findByRole('heading', { name: 'The hives' });
  const shown = reader.closest('[role="dialog"]')?.textContent ?? '';
  for (const part of [
    'Sacred Biography',
    'Melancholy',
    'Made by the Loom, from your words and lines of its own',
    'torn blue coat',
  ]) {
    expect(shown).toContain(part);
  }
  expect(sent.join('\n')).toContain('biography');
  for (const word of ['grandmother', 'hives', 'melancholy', 'loom'])
    expect(sent.join('\n').toLowerCase()).not.toContain(word);
  await press(browser, 'Close');
  await expectNoDialog();
  expect(keptIn(`latebra.draft:${member.user.id}`)).toBe(0);

  await browser.reload();
  expect((await findRow('The hives')).textContent).toMatch(/Sacred Biography · Melancholy/);
});

test('a story needs a type and a source', async () => {
  const member = await openMyths();
  await beginMyth(member);
  const type = await field('Story type');
  expect(
    within(type)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose one', ...storyTypes.map(({ label }) => label)]);
  for (const part of [{ source: 'Words.' }, { type: 'Ending Ritual', source: '  ' }]) {
    await typeMyth(member, part);
    await press(member.browser, 'Make the story', await mythForm());
    await expectToast('Incomplete Story Request', 'Please select a story type and provide source content.');
    await screen.findByRole('heading', { name: 'Create Sacred Myth' });
    await screen.findByText(
      part.type ? 'Write here what the story is made from.' : 'Choose what kind of story it becomes.',
    );
  }
  await typeMyth(member, { source: 'x'.repeat(SOURCE_MAX + 1) });
  await press(member.browser, 'Make the story', await mythForm());
  await screen.findByText(/These are 60,001 characters. A story is made from 60,000 at most/);
  expect((await field('Source')).getAttribute('aria-invalid')).toBe('true');
});

test('person and duration are asked for where a story is about two', async () => {
  const member = await openMyths();
  await member.postSealed(
    '/api/relationship-entries',
    'relationship',
    { personName: 'Nora', encryptedContent: 'On the ferry.' },
    { eventType: 'confession', emotionalWeight: 3 },
  );
  await beginMyth(member);
  for (const [type, person, duration] of [
    ['Sacred Biography', false, false],
    ['Love Mythology', true, true],
    ['Ending Ritual', true, true],
    ['Eulogy', true, false],
  ] as const) {
    await typeMyth(member, { type });
    const { queryByLabelText } = within(await mythForm());
    expect(queryByLabelText(/^(Person|For whom)/) !== null, type).toBe(person);
    expect(queryByLabelText(/^For how long/) !== null, type).toBe(duration);
  }
  await typeMyth(member, { type: 'Love Mythology' });
  // Names of the ledger are offered.
  await waitFor(() =>
    expect([...document.querySelectorAll<HTMLOptionElement>('datalist option')].map((o) => o.value)).toEqual([
      'Nora',
    ]),
  );
  await typeMyth(member, { person: 'Nora', duration: 'seven years', source: BEES });
  await weaveMyth(member);
  await sealMyth(member);
  const reader = await screen.findByText('Of Nora');
  expect(reader.closest('[role="dialog"]')?.textContent).toContain('seven years');
});

test('form and draft survive a reload, and are discarded when that is wanted', async () => {
  const member = await openMyths();
  const { browser } = member;
  await beginMyth(member);
  await typeMyth(member, { type: 'Sacred Biography', source: BEES });
  await expectDraft(member, 'torn blue coat');
  await browser.reload();
  await waitFor(async () => expect(textIn(await field('Source'))).toBe(BEES));
  await weaveMyth(member);
  await fill(browser, await field('Title'), 'A title of mine');
  await expectDraft(member, 'A title of mine');
  await pressEscape(browser);
  await browser.reload();
  await screen.findByText('No myth has been made yet');
  await press(browser, 'Create Sacred Myth', screen.getByRole('main'));
  await screen.findByText('What you had begun is still here.');
  expect(textIn(await field('Title'))).toBe('A title of mine');

  // The story alone.
  await press(browser, 'Discard', await mythForm());
  await answer(member, 'Cancel');
  expect(textIn(await field('Title'))).toBe('A title of mine');
  await press(browser, 'Discard', await mythForm());
  await answer(member, 'Discard it');
  await screen.findByRole('heading', { name: 'Create Sacred Myth' });
  expect(textIn(await field('Source'))).toBe(BEES);
  // And everything.
  await press(browser, 'Discard it', await mythForm());
  await answer(member, 'Discard it');
  await waitFor(async () => expect(textIn(await field('Source'))).toBe(''));
  expect(keptIn(`latebra.draft:${member.user.id}`)).toBe(0);
});

test('weaving again makes another story, and asks before it replaces what was changed by hand', async () => {
  const member = await openMyths();
  const { browser } = member;
  await beginMyth(member);
  await typeMyth(member, { type: 'Sacred Biography', source: BEES });
  await weaveMyth(member);
  const words = async () => `${textIn(await field('Title'))}\n${textIn(await field('Story'))}`;
  const first = await words();
  await press(browser, 'Make another one', await mythForm());
  await waitFor(async () => expect(await words()).not.toBe(first));
  expect(document.activeElement?.textContent).toContain('Make another one');
  const second = await words();
  await fill(browser, await field('Title'), 'Mine');
  await screen.findByText(/and changed by you/);
  await press(browser, 'Make another one', await mythForm());
  await answer(member, 'Cancel');
  expect(textIn(await field('Title'))).toBe('Mine');
  await press(browser, 'Make another one', await mythForm());
  await answer(member, 'Replace it');
  await waitFor(async () => expect(await words()).not.toContain('Mine'));
  expect(await words()).not.toBe(second);

  // What it is made from can be changed, and the draft waits meanwhile.
  const third = await words();
  await press(browser, 'Change what it is made from', await mythForm());
  expect(textIn(await field('Source'))).toBe(BEES);
  await press(browser, 'Back to the draft', await mythForm());
  expect(await words()).toBe(third);
});

test('a draft without a title or words is not sealed, and one that the server refuses stays', async () => {
  const member = await openMyths();
  const { browser } = member;
  await beginMyth(member);
  await typeMyth(member, { type: 'Sacred Biography', source: BEES });
  await weaveMyth(member);
  const title = textIn(await field('Title'));
  await fill(browser, await field('Title'), ' ');
  await sealMyth(member);
  await expectToast('Incomplete Myth', 'Please provide both a title and a story.');
  expect((await field('Title')).getAttribute('aria-invalid')).toBe('true');
  await within(await mythForm()).findByText('A title is missing.');
  const titleField = await field('Title');
  await waitFor(() => expect(document.activeElement).toBe(titleField));
  await fill(browser, await field('Title'), title);
  const mend = answerInstead(browser, 'POST /api/myth-stories', {
    status: 429,
    body: JSON.stringify({ code: 'rate-limited', message: 'Wait a minute.' }),
  });
  await sealMyth(member);
  await expectToast('Failed to Generate Myth', 'Wait a minute.');
  mend();
  await sealMyth(member);
  await expectToast('Myth Created');
});

test('a Loom that does not arrive is told, and the words stay', async () => {
  const member = await openMyths();
  await beginMyth(member);
  await typeMyth(member, { type: 'Sacred Biography', source: BEES });
  const broken = vi.spyOn(WorkerHere.prototype, 'postMessage').mockImplementation(function (
    this: InstanceType<typeof WorkerHere>,
  ) {
    queueMicrotask(() => this.onerror?.());
  });
  await press(member.browser, 'Make the story', await mythForm());
  await expectToast('Failed to Generate Myth', 'The Loom could not be loaded');
  broken.mockRestore();
  expect(textIn(await field('Source'))).toBe(BEES);
  await press(member.browser, 'Try again', await mythForm());
  await screen.findByRole('heading', { name: 'Before it is sealed' });
});

test('a myth is changed, with its day and tags, and keeps how it was made', async () => {
  const member = await openMyths();
  const { browser } = member;
  await postMyth(
    member,
    {
      title: 'The hives',
      encryptedContent: 'They were silent.',
      details: '{"made":{"by":"model","later":1,"tone":"epic","writer":"llama3 at words.example"},"v":1}',
    },
    { storyType: 'eulogy' },
  );
  await browser.reload();
  const reader = await read(member, await findRow('The hives'));
  for (const part of ['Eulogy', 'Epic', 'Written by llama3 at words.example'])
    expect(reader.textContent).toContain(part);
  await press(browser, 'Edit', reader);
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Myth' }));
  await fill(browser, dialog.getByLabelText('Story'), 'They sang.');
  await fill(browser, dialog.getByLabelText(/^When it happened/), '2019-05-17');
  await fill(browser, dialog.getByLabelText(/^Tags/), 'bees');
  await press(browser, 'Seal Myth', await mythForm());
  await expectToast('Myth Sealed');
  await expectNoDialog();
  await browser.reload();
  const again = await read(member, await findRow('bees'));
  for (const part of ['They sang.', 'Happened 17 May 2019', 'Written by llama3', 'Epic', 'Eulogy'])
    expect(again.textContent).toContain(part);
});

test('two tabs that change the same myth keep both versions', async () => {
  const member = await openMyths();
  const { browser } = member;
  const { id, sealId, version } = await postMyth(member, { title: 'The hives', encryptedContent: 'Silent.' });
  await browser.reload();
  await press(browser, 'Edit', await read(member, await findRow('The hives')));
  await fill(browser, await field('Story'), 'Mine.');
  await member.call('PATCH', `${MYTHS}/${id}`, {
    ...(await member.sealed(
      'myth',
      sealId ?? '',
      { title: 'The hives', encryptedContent: 'Theirs.' },
      { storyType: 'biography', version: version + 1 },
    )),
    ...{ storyType: 'biography', version, keyFingerprint: member.fingerprint },
  });
  await press(browser, 'Seal Myth', await mythForm());
  const other = await screen.findByText(/This myth was changed elsewhere/);
  expect(other.closest('[role="alert"]')?.textContent).toContain('Theirs.');
  await press(browser, 'Keep both', await mythForm());
  await expectNoDialog();
  await expectRows('The hives', 'The hives');
});

test('myths are found by their words, deleted, and told when another device was faster', async () => {
  const member = await openMyths();
  const { browser } = member;
  await postMyth(member, { title: 'The hives', encryptedContent: 'Silent for a week.' });
  const second = await postMyth(
    member,
    { title: 'The ferry', encryptedContent: 'She said it twice.' },
    { storyType: 'relationship' },
  );
  await browser.reload();
  await expectRows('The ferry', 'The hives');
  await fill(browser, await screen.findByRole('searchbox'), 'love mythology');
  await expectRows('The ferry');
  await fill(browser, screen.getByRole('searchbox'), 'nothing like it');
  await screen.findByText('No myth holds these words.');
  await fill(browser, screen.getByRole('searchbox'), '');
  await press(browser, 'Delete The hives');
  await answer(member, 'Delete it');
  await expectToast('Myth Deleted');
  await expectRows('The ferry');
  await member.call('DELETE', `${MYTHS}/${second.id}`);
  await press(browser, 'Delete The ferry');
  await answer(member, 'Delete it');
  await expectToast('Myth is gone');
  await screen.findByText('No myth has been made yet');
});

test('a myth of another key is listed and not opened', async () => {
  const member = await openMyths();
  await member.call('POST', MYTHS, {
    ...{ title: 'bm90IG91cnM=', encryptedContent: 'bm90IG91cnM=', storyType: 'breakup' },
    ...{ sealId: newSealId(), keyFingerprint: member.fingerprint },
  });
  await member.browser.reload();
  const [opener] = within(await findRow('Unreadable with this key')).getAllByRole('button');
  if (opener) await member.browser.user.click(opener);
  await expectToast(
    'Failed to Decrypt',
    'Unable to decrypt this story. Your encryption key may have changed.',
  );
});

test('the dashboard counts the stories', async () => {
  const member = await enterAsMember(instance());
  await postMyth(member, { title: 'The hives', encryptedContent: 'Silent.' });
  await member.browser.open('/');
  const card = await screen.findByRole('link', { name: /Myth Builder./ });
  await waitFor(() => expect(card.textContent).toMatch(/1 *story/));
  await member.browser.user.click(card);
  await findRow('The hives');
});
