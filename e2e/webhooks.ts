// Steps around live imports: a webhook that is made on the page, and the program that sends to it.
import type { Page } from '@playwright/test';
import { aDelivery, aPayload } from '../src/testing/signed-deliveries.ts';

/** On the page of imports. The dialog that shows both stays open. */
export async function makeWebhook(page: Page, name: string): Promise<{ url: string; secret: string }> {
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Make the webhook' }).click();
  const shown = async (label: string) => page.getByRole('textbox', { name: label }).inputValue();
  return { url: await shown('Address'), secret: await shown('Signing secret') };
}

/** Sends a delivery now. @returns the status of its answer */
export async function deliver(webhook: { url: string; secret: string }, data: object): Promise<number> {
  const { headers = {}, body } = aDelivery(webhook, { at: Date.now(), payload: aPayload(data) });
  return (await fetch(webhook.url, { method: 'POST', headers, body: String(body) })).status;
}
