// Taking the keys of the server, below the browser.
import { screen } from '@testing-library/dom';
import { test } from 'vitest';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { fill, press } from '../../testing/steps.ts';

const instance = anInstance();
const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWx';
const INVALID = 'That set-up token is not valid, or was already used.';

/** Makes the token good, as the server does when it starts. */
async function offerToken(): Promise<void> {
  const { db, digests, now } = instance().deps;
  const token = { token_hash: digests.keyed('setup-token', TOKEN), created_at: now() };
  await db.insertInto('setup_tokens').values(token).execute();
}

async function takeKeys({ browser }: Member, token: string): Promise<void> {
  await fill(browser, await screen.findByLabelText('Set-up token'), token);
  await press(browser, 'Become administrator');
}

test('the set-up token makes one administrator, once', async () => {
  await offerToken();
  const first = await enterAsMember(instance());
  await first.browser.open('/settings');
  await takeKeys(first, 'not-the-token');
  await screen.findByText(INVALID);
  await takeKeys(first, TOKEN);
  await screen.findByText('You are an administrator.');
  const second = await enterAsMember(instance());
  await second.browser.open('/settings');
  await takeKeys(second, TOKEN);
  await screen.findByText(INVALID);
});
