// The page on what protects a vault: it shows the vault's own fingerprint, lists what the contract says, and proves.

import { inShort } from '../src/shared/privacy.ts';
import { whatTheServerSees } from '../src/shared/server-sees.ts';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { pressEscape } from './rites.ts';

test('the page lists every field of the contract, and proves the browser’s primitives on the spot', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/quantum-security');
  await expect(page.getByRole('heading', { level: 1, name: 'Quantum Security' })).toBeVisible();

  const user = await (await page.request.get(`${instance.url}/api/auth/user`)).json();
  const shown = await page.getByRole('region', { name: 'Your key' }).innerText();
  expect(shown.replace(/\s/g, '')).toContain(user.keyFingerprint);

  const seen = page.getByRole('region', { name: 'What this server can see' });
  for (const line of inShort) await expect(seen.getByText(line)).toBeVisible();
  for (const { words, fields } of whatTheServerSees()) {
    await expect(seen.getByRole('heading', { name: words })).toBeVisible();
    for (const field of fields) await expect(seen.getByText(field, { exact: true }).first()).toBeAttached();
  }
  for (const name of ['AES-256-GCM', 'ML-KEM-768', 'formerly Kyber768', 'ML-DSA-44', 'formerly Dilithium2']) {
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  }

  await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Regenerate the key' })).toBeVisible();
  await pressEscape(page);

  await page.getByRole('button', { name: 'Prove it' }).click();
  await expect(page.getByText('All 7 held, in this browser, just now.')).toBeVisible();
  await expect(page.getByText(/^\d+\.\d ms$/)).toHaveCount(7);
  expect(await axeFindings(page)).toEqual([]);
});

test('a browser whose cipher lies is found out', async ({ page, instance }) => {
  await page.addInitScript(() => {
    // Opens whatever it is given, altered or not: it remembers instead of deciphering.
    const texts: ArrayBuffer[] = [];
    const { subtle } = crypto;
    const encrypt = subtle.encrypt.bind(subtle);
    const decrypt = subtle.decrypt.bind(subtle);
    Object.assign(subtle, {
      encrypt: (algorithm: AesGcmParams, key: CryptoKey, data: Uint8Array<ArrayBuffer>) => {
        texts.push(data.slice().buffer);
        return encrypt(algorithm, key, data);
      },
      decrypt: (algorithm: AesGcmParams, key: CryptoKey, data: BufferSource) =>
        decrypt(algorithm, key, data).catch(() => texts.at(-1)),
    });
  });
  await enterAsMember(page, instance, 'agnes', '/quantum-security');
  await page.getByRole('button', { name: 'Prove it' }).click();
  await expect(page.getByText(/of 7 did not hold\. Do not seal anything/)).toBeVisible();
});
