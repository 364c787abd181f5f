// A letter that its author leaves with other instances, below the browser: what each is given, what is said of it, and what follows when
// the letter is changed, disarmed or deleted. The instances are toys that keep what their box says; three real ones are told in
// e2e/sisters.spec.ts.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { inFours } from '../../../shared/in-fours.ts';
import { DAY } from '../../../shared/time.ts';
import { fillFields, openScrolls, pressInRow, SCROLL_TITLE } from '../../testing/authoring.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { unreachable } from '../../testing/network.ts';
import {
  aToy,
  join,
  keptBy,
  leaveWith,
  openSisters,
  type Toy,
  watchLetter,
} from '../../testing/sister-toys.ts';
import { expectNoDialog, expectToast, findRow, press, pressEscape } from '../../testing/steps.ts';
import { writeSlot } from '../../vault/device/account-slot.ts';

const instance = anInstance();

const rowText = async () => (await findRow(SCROLL_TITLE)).textContent ?? '';

test('a letter is left with sisters, given anew when it changes, and ended when it is disarmed', async () => {
  const { browser } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  const dialog = await openSisters(browser);
  await within(dialog).findByText(inFours(one.address));
  expect(dialog.textContent).toContain('If those who run one.example and two.example work together');
  expect(dialog.textContent).toContain('Each of them waits for 60 days');
  await press(browser, 'Leave it with these', dialog);
  await within(dialog).findByText('Compare them first.');
  expect(document.activeElement).toBe(within(dialog).getByRole('checkbox', { name: /I have compared/ }));
  for (const says of [
    'can read a recipient’s mail can read the letter',
    'may bring several mails',
    'do not warn',
  ])
    expect(dialog.textContent).toContain(says);
  expect(one.letters.size).toBe(0);
  await pressEscape(browser);
  await leaveWith(browser);
  await expectToast('Left With Sisters', 'one.example and two.example keep it now.');
  await expectNoDialog();
  const [first] = keptBy(one);
  expect(first?.letter).toMatchObject({ needed: 2, days: 60, edition: 1 });
  expect(one.signed).toEqual(['alive']);
  await waitFor(async () =>
    expect(await rowText()).toMatch(/Sistersone\.exampleLast reached on .*two\.exampleLast/),
  );

  // Its sisters are given other words at once.
  await pressInRow(browser, 'Edit words');
  const edit = await screen.findByRole('dialog', { name: 'Edit the words' });
  await fillFields(browser, { Letter: 'Behind the clock.' }, edit);
  await press(browser, 'Seal the change', edit);
  await expectNoDialog();
  for (const toy of [one, two]) await waitFor(() => expect(keptBy(toy)[0]?.letter.edition).toBe(2));
  expect(keptBy(one)[0]?.letter.id).toBe(first?.letter.id);
  expect(keptBy(one)[0]?.letter.encryptedContent).not.toBe(first?.letter.encryptedContent);
  expect(await rowText()).not.toContain('earlier version');

  await pressInRow(browser, 'Disarm');
  await expectToast('Watch Disarmed');
  for (const toy of [one, two]) expect(keptBy(toy)).toEqual([]);
  await waitFor(async () => expect(await rowText()).toContain('SistersNone'));
});

test('a sister with which too much was left is not said to be away', async () => {
  const { browser } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  two.isFull = true;
  join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  const dialog = await leaveWith(browser);
  await within(dialog).findByText(
    /passes nothing more on to two\.example just now, and it does not have this/,
  );
  expect(dialog.textContent).toContain('one.example keeps it.');
});

test('what a proxy answers in the place of its server is no sister’s refusal', async () => {
  const { browser } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  const answers = [
    new Response('<html>', { status: 404 }),
    Response.json({ code: 'sister-refused', message: 'The other server did not take it.' }, { status: 409 }),
  ];
  browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === '/api/sisters/send' ? (answers.shift() ?? forward()) : forward(),
  );
  join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  const dialog = await leaveWith(browser);
  await within(dialog).findByText(/ was not reached, and does not have it/);
  await within(dialog).findByText(/ does not take it/);
});

test('a sister that is away is said so and given it later; one that keeps another box is not trusted', async () => {
  const { browser, user } = await enterAsMember(instance());
  const toys = (await Promise.all(['one', 'two', 'three'].map(aToy))) as [Toy, Toy, Toy];
  const [one, two, three] = toys;
  join(browser, toys);
  await openScrolls(browser);
  await watchLetter(browser);
  // Its digest is another one: it says that it keeps what it does not.
  const honest = two.letters.set.bind(two.letters);
  two.letters.set = (id, kept) => honest(id, { ...kept, digest: 'x'.repeat(43) });
  three.isUp = false;
  const dialog = await openSisters(browser);
  const away = await within(dialog).findByRole<HTMLInputElement>('checkbox', { name: 'three.example' });
  expect(away.disabled).toBe(true);
  expect(dialog.textContent).toContain('It does not answer just now');
  await browser.user.click(within(dialog).getByRole('checkbox', { name: /I have compared/ }));
  await press(browser, 'Leave it with these', dialog);
  await within(dialog).findByText(/two\.example keeps something else than was sent/);
  const askThem = async () => {
    const button = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Ask them now' });
    await waitFor(() => expect(button.disabled).toBe(false));
    await browser.user.click(button);
  };
  one.isUp = false;
  await askThem();
  await within(dialog).findByText('one.example did not answer just now.');
  one.isUp = true;
  await askThem();
  await within(dialog).findByText('Each of them has answered.');
  await pressEscape(browser);
  await waitFor(async () => expect(await rowText()).toContain('It keeps an earlier version of the letter'));

  // With others it is in another round, and what was there before is erased.
  [two.letters.set, three.isUp] = [honest, true];
  const [before] = [...one.letters.keys()];
  const again = await openSisters(browser);
  const back = await within(again).findByRole<HTMLInputElement>('checkbox', { name: 'three.example' });
  await waitFor(() => expect(back.disabled).toBe(false));
  await browser.user.click(back);
  await browser.user.selectOptions(within(again).getByLabelText('How many of them send it together'), '2');
  await browser.user.click(within(again).getByRole('checkbox', { name: /I have compared/ }));
  await press(browser, 'Send it to these', again);
  await expectToast('Left With Sisters');
  for (const toy of toys) expect(keptBy(toy).map(({ letter }) => letter.edition)).toEqual([2]);
  expect(one.letters.get(before ?? '')?.ended).toBe(true);
  expect(keptBy(three)[0]?.letter.needed).toBe(2);

  // Those that have said that they erased it are not kept in mind with the next ones: another device would ask them again.
  await expectNoDialog();
  const third = await openSisters(browser);
  await browser.user.click(await within(third).findByRole('checkbox', { name: 'three.example' }));
  await browser.user.click(within(third).getByRole('checkbox', { name: /I have compared/ }));
  await press(browser, 'Send it to these', third);
  await expectNoDialog();
  for (const slot of ['latebra.sisters', 'latebra.sisters-looked'])
    localStorage.removeItem(`${slot}:${user.id}`);
  const soFar = browser.network.asked.length;
  await browser.reload();
  const asked = () =>
    browser.network.asked.slice(soFar).filter((call) => call.endsWith('/api/sisters/challenges'));
  // Two that keep it, and three that had it in the round before.
  await waitFor(() => expect(asked().length).toBeGreaterThan(4));
  await browser.network.idle();
  expect(asked()).toHaveLength(5);
});

test('a sister that was not reached is said to have moved, to have other keys, or to be listed no more', async () => {
  const { browser } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  let isGone = false;
  browser.network.intercept(async (request, forward) => {
    if (isGone && new URL(request.url).origin === one.origin) throw unreachable();
    return forward();
  });
  let leave = join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  await leaveWith(browser);
  await expectToast('Left With Sisters');
  await expectNoDialog();
  const others = await aToy('one');
  const elsewhere = { ...one, origin: 'https://moved.example' };
  for (const [listed, says] of [
    [[elsewhere, two], 'It is at moved.example now, and its share counts for nothing.'],
    [[others, two], 'It has other keys now, and cannot open what it keeps.'],
    [[two], 'This server is joined with it no more, so that this browser cannot reach it.'],
  ] as const) {
    leave();
    leave = join(browser, listed);
    isGone = true;
    instance().clock.advance(DAY);
    const dialog = await openSisters(browser);
    const ask = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Ask them now' });
    await waitFor(() => expect(ask.disabled).toBe(false));
    await browser.user.click(ask);
    await within(dialog).findByText('one.example did not answer just now.');
    await pressEscape(browser);
    await waitFor(async () => expect(await rowText()).toContain(says));
    expect(await rowText()).toMatch(/two\.exampleLast reached on/);
  }
});

test('before a letter is deleted its sisters erase it, and who was not reached is named first', async () => {
  const { browser } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  await leaveWith(browser);
  await expectToast('Left With Sisters');
  await expectNoDialog();
  two.isUp = false;
  await pressInRow(browser, 'Delete');
  const question = await screen.findByRole('alertdialog');
  await press(browser, 'Delete it', question);
  await within(question).findByText(/two\.example was not reached, and keeps the letter/);
  expect(keptBy(one)).toEqual([]);
  await press(browser, 'Delete it', question);
  await expectToast('Legacy Scroll Deleted');
  expect(two.signed).toEqual(['alive']);
});

test('the desk says which sister ended a letter, or was long tried in vain, and asks no server about it', async () => {
  const { browser, user } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  await leaveWith(browser);
  await expectToast('Left With Sisters');
  await expectNoDialog();
  const slot = `latebra.sisters:${user.id}`;
  /** Has this device remember something else of one of them. */
  const remember = (toy: Toy, changes: object) => {
    const memory = Object.entries<object>(JSON.parse(localStorage.getItem(slot) ?? '{}'));
    const changed = memory.map(([key, was]) => [
      key,
      key.includes(toy.origin) ? { ...was, ...changes } : was,
    ]);
    localStorage.setItem(slot, JSON.stringify(Object.fromEntries(changed)));
  };
  const trouble = () => screen.queryByRole('region', { name: 'Trouble with sisters' });
  const [now, day] = [Date.now(), 24 * 60 * 60 * 1000];
  const desk = async (changes: object) => {
    remember(one, changes);
    await browser.reload();
    await screen.findByRole('region', { name: 'Letters that watch' });
  };
  await browser.open('/');
  await screen.findByRole('region', { name: 'Letters that watch' });

  // Of sixty days: who comes back after long gives a sign now, and is told nothing meanwhile.
  const long = { since: now - 40 * day, reached: now - 31 * day };
  await desk({ ...long, tried: now - 31 * day - 1 });
  await waitFor(() => expect(one.signed).toEqual(['alive', 'alive']));
  await waitFor(() => expect(localStorage.getItem(slot)).not.toContain(`"reached":${long.reached}`));
  expect(trouble()).toBeNull();
  const asked = browser.network.asked.length;
  await desk({ ...long, tried: now });
  await waitFor(() =>
    expect(trouble()?.textContent).toContain('This device has not reached it for more than half'),
  );
  expect(trouble()?.textContent).toContain('one.example');
  expect(trouble()?.textContent).not.toContain('two.example');
  await desk({ reached: now, tried: now, answer: 'ended-by-sister' });
  await waitFor(() =>
    expect(trouble()?.textContent).toContain('Its administrator has erased the letter there'),
  );
  expect(browser.network.asked.slice(asked).filter((call) => call.includes('sisters'))).toEqual([]);
});

test('a server that keeps its letters back keeps no sister waiting for a sign unsaid', async () => {
  const { browser, user } = await enterAsMember(instance());
  const reached = (days: number) => ({
    ...{ since: 1, tried: Date.now() - DAY, reached: Date.now() - days * DAY, answer: 'kept' },
  });
  const letter = (sister: string) => `${newSealId()} 1 https://${sister}.example ${'0'.repeat(32)}`;
  writeSlot(
    'latebra.sisters',
    user.id,
    JSON.stringify({ [letter('one')]: reached(16), [letter('two')]: reached(14) }),
  );
  browser.network.intercept(async (request, forward) =>
    new URL(request.url).pathname === '/api/legacy-scrolls'
      ? Response.json({ code: 'internal', message: 'No.' }, { status: 500 })
      : forward(),
  );
  await browser.open('/memory-vault');
  await expectToast('Sisters of your letters hear nothing of you', 'so that one.example could be given');
});

test('where a server is joined with no other, nothing of it is to be seen', async () => {
  const { browser } = await enterAsMember(instance());
  await openScrolls(browser);
  await watchLetter(browser);
  const row = await findRow(SCROLL_TITLE);
  await press(browser, /More/, row);
  expect(within(row).queryByRole('button', { name: /^Sisters/ })).toBeNull();
});
