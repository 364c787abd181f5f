// Taking the keys of the house, below the browser.
import { screen } from '@testing-library/dom';
import { test } from 'vitest';
import { aHouse } from '../../testing/instance.ts';
import { enterAsResident, type Resident } from '../../testing/member.ts';
import { fill, press } from '../../testing/steps.ts';

const house = aHouse();
const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWx';
const INVALID = 'That set-up token is not valid, or was already used.';

/** Makes the token good, as the server does when it starts. */
async function offerToken(): Promise<void> {
  const { db, digests, now } = house().deps;
  const token = { token_hash: digests.keyed('setup-token', TOKEN), created_at: now() };
  await db.insertInto('setup_tokens').values(token).execute();
}

async function takeKeys({ browser }: Resident, token: string): Promise<void> {
  await fill(browser, await screen.findByLabelText('Set-up token'), token);
  await press(browser, 'Take the keys');
}

test('the set-up token makes one keeper, once', async () => {
  await offerToken();
  const first = await enterAsResident(house());
  await first.browser.open('/settings');
  await takeKeys(first, 'not-the-token');
  await screen.findByText(INVALID);
  await takeKeys(first, TOKEN);
  await screen.findByText('You keep this house.');
  const second = await enterAsResident(house());
  await second.browser.open('/settings');
  await takeKeys(second, TOKEN);
  await screen.findByText(INVALID);
});
