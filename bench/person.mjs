// Somebody who comes in through the first door and answers, for measurements that need a vault.
import { VIRTUAL_AUTHENTICATOR } from '../scripts/chromium.mjs';

export async function addAuthenticator(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: VIRTUAL_AUTHENTICATOR,
  });
}

export async function becomeMember(page, url) {
  await page.goto(`${url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a passkey' }).click();
  for (const button of ['Continue', 'Continue', 'Enter the Vault']) {
    await page.getByRole('textbox').fill('An answer');
    await page.getByRole('button', { name: button }).click();
  }
  await page.getByRole('heading', { name: 'The chambers' }).waitFor();
}

export async function writeMemory(page, url) {
  await page.goto(`${url}/memory-vault`);
  await page.getByRole('button', { name: 'New Memory' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox').first().fill('The bell');
  await form.getByRole('textbox').nth(1).fill('It still rings.');
  await form.locator('button[type=submit]').click();
  await form.waitFor({ state: 'detached' });
}

/** Its owner says that nobody else uses the device: it keeps lists, and the app, from then on. */
export const makeItOwn = (page) =>
  page.evaluate(() => {
    const slot = Object.keys(localStorage).find((name) => name.startsWith('latebra.vault-key:'));
    localStorage.setItem(`latebra.device:${slot.split(':')[1]}`, 'own');
  });
