// A home server that lists keys of its own under the name of a sister that has a letter.
import { within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { inFours } from '../../../shared/in-fours.ts';
import { openScrolls } from '../../testing/authoring.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { aToy, join, leaveWith, openSisters, type Toy, watchLetter } from '../../testing/sister-toys.ts';
import { expectNoDialog, expectToast } from '../../testing/steps.ts';

const instance = anInstance();

test('other keys under the name of a sister that has the letter are said to be others, and are not chosen', async () => {
  const { browser } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  await leaveWith(browser);
  await expectToast('Left With Sisters');
  await expectNoDialog();
  // The home server lists keys of its own in their place.
  const { address, keys } = await aToy('another');
  Object.assign(one, { address, keys });
  const dialog = await openSisters(browser);
  await within(dialog).findByText(inFours(address));
  expect(dialog.textContent).toContain('It had another address when you left this letter with it.');
  const isChosen = (name: string) =>
    within(dialog).getByRole<HTMLInputElement>('checkbox', { name: new RegExp(name) }).checked;
  expect([isChosen('one.example'), isChosen('two.example')]).toEqual([false, true]);
});
