// The section of live imports by itself: a webhook is made, tried, given another secret and revoked.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { screen, waitFor, within } from '@testing-library/dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ImportWebhook } from '../../../shared/nouns/import-webhooks.ts';
import { DAY, MINUTE } from '../../../shared/time.ts';
import { aDelivery, pathOf } from '../../../testing/signed-deliveries.ts';
import { createServices, ServicesProvider } from '../../api/services.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { expectNoDialog, expectToast, fill, press, textIn } from '../../testing/steps.ts';
import { Toaster } from '../../ui/toaster.tsx';
import { openVaultOf } from '../../vault/key/open-vault.ts';
import { VaultContext } from '../../vault/session/vault-context.ts';
import { nodeExample, shellExample } from './webhook-examples.ts';
import { WebhooksSection } from './webhooks-section.tsx';

const instance = anInstance();
const PATH = '/api/import-webhooks';
let member: Member;
let root: Root | null = null;

beforeEach(async () => {
  member = await enterAsMember(instance());
});
afterEach(() => {
  root?.unmount();
  root = null;
  document.body.replaceChildren();
});

function show(): void {
  root?.unmount();
  document.body.replaceChildren();
  const services = createServices({ fetch: member.browser.network.fetch });
  const { user, contentKey, fingerprint } = member;
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <ServicesProvider services={services}>
      <VaultContext value={openVaultOf(services, user, { contentKey, fingerprint })}>
        <main>
          <WebhooksSection />
        </main>
      </VaultContext>
      <Toaster />
    </ServicesProvider>,
  );
}

const list = () => member.call<ImportWebhook[]>('GET', PATH);
const field = async (label: string) => textIn(await screen.findByLabelText(label));

async function make(name: string) {
  await press(member.browser, 'New webhook');
  const dialog = await screen.findByRole('dialog', { name: 'New webhook' });
  await fill(member.browser, within(dialog).getByLabelText('Name'), name);
  await press(member.browser, 'Make the webhook', dialog);
  await screen.findByRole('dialog', { name: `The webhook “${name}”` });
  return { url: await field('Address'), secret: await field('Signing secret') };
}
const deliver = (webhook: { url: string; secret: string }, secret = webhook.secret) =>
  instance().request('POST', pathOf(webhook), aDelivery(webhook, { at: Date.now(), secret }));

describe('live imports', () => {
  test('say that there is none, and who can read a delivery', async () => {
    show();
    await screen.findByText('There is no webhook yet. Nothing can arrive from outside.');
    const main = screen.getByRole('main').textContent;
    expect(main).toContain('This server reads each delivery once, seals it to your vault and forgets it.');
    expect(main).toContain('Only this vault can open it.');
    expect(main).toContain('zero-access, not end-to-end');
  });

  test('are made with a sealed name, and show address and secret once', async () => {
    show();
    const webhook = await make('Telephone');
    expect(webhook.url).toMatch(/\/api\/import\/[\w-]{43}$/);
    expect(webhook.secret).toMatch(/^whsec_/);
    expect((await deliver(webhook)).status).toBe(204);
    await press(member.browser, 'Done');
    await expectNoDialog();
    const row = await screen.findByRole('listitem');
    await waitFor(() => expect(row.textContent).toContain('1 memory has arrived'));
    expect(row.textContent).toContain('Telephone');
    expect(row.textContent).toContain('Working');
    expect(JSON.stringify(await list())).not.toContain('Telephone');
    expect(document.body.textContent).not.toContain(webhook.secret);
    show();
    expect((await screen.findByRole('listitem')).textContent).toContain('Telephone');
  });

  test('need a name', async () => {
    show();
    await press(member.browser, 'New webhook');
    const button = screen.getByRole('button', { name: 'Make the webhook' });
    expect((button as HTMLButtonElement).disabled).toBe(true);
    await fill(member.browser, screen.getByLabelText('Name'), '   ');
    expect((button as HTMLButtonElement).disabled).toBe(true);
  });

  test('say why one could not be made, and keep what was typed', async () => {
    show();
    await press(member.browser, 'New webhook');
    await fill(member.browser, screen.getByLabelText('Name'), 'Telephone');
    member.browser.network.cut();
    await press(member.browser, 'Make the webhook');
    await screen.findByRole('alert');
    expect(await field('Name')).toBe('Telephone');
    member.browser.network.cut(false);
    await press(member.browser, 'Make the webhook');
    await screen.findByRole('dialog', { name: 'The webhook “Telephone”' });
  });

  test('are given another secret; the old one stays for a day, or ends at once', async () => {
    show();
    const webhook = await make('Telephone');
    await press(member.browser, 'Done');
    await press(member.browser, 'Make a new secret for Telephone');
    await press(member.browser, 'Make a new secret');
    await screen.findByRole('dialog', { name: 'A new secret for “Telephone”' });
    const second = await field('Signing secret');
    expect(screen.queryByLabelText('Address')).toBeNull();
    for (const secret of [webhook.secret, second]) expect((await deliver(webhook, secret)).status).toBe(204);
    await press(member.browser, 'Done');
    await waitFor(() =>
      expect(screen.getByRole('listitem').textContent).toContain('Old secret accepted until'),
    );
    await press(member.browser, 'Make a new secret for Telephone');
    await member.browser.user.selectOptions(screen.getByLabelText('The old secret'), 'ends');
    await press(member.browser, 'Make a new secret');
    const third = await screen.findByRole('dialog', { name: 'A new secret for “Telephone”' });
    expect(third.textContent).toContain('not accepted any more');
    expect((await deliver(webhook, second)).status).toBe(401);
    expect((await deliver(webhook, await field('Signing secret'))).status).toBe(204);
    await press(member.browser, 'Done');
    await waitFor(() => expect(screen.getByRole('listitem').textContent).not.toContain('Old secret'));
  });

  test('are revoked after a question', async () => {
    show();
    const webhook = await make('Telephone');
    await press(member.browser, 'Done');
    await press(member.browser, 'Revoke Telephone');
    const question = await screen.findByRole('alertdialog', { name: 'Revoke “Telephone”?' });
    expect(question.textContent).toContain('What has arrived through it stays in your vault.');
    await press(member.browser, 'Cancel', question);
    expect(await list()).toHaveLength(1);
    await press(member.browser, 'Revoke Telephone');
    await press(member.browser, 'Revoke it');
    await expectToast('Webhook revoked');
    await screen.findByText('There is no webhook yet. Nothing can arrive from outside.');
    expect((await deliver(webhook)).status).toBe(410);
  });

  test('say why the last delivery was refused, until one arrives', async () => {
    show();
    const webhook = await make('Telephone');
    await deliver(webhook, `whsec_${'A'.repeat(43)}=`);
    await press(member.browser, 'Done');
    const row = () => screen.getByRole('listitem').textContent;
    await waitFor(() => expect(row()).toContain('The last delivery was refused: its signature was wrong.'));
    instance().clock.advance(MINUTE);
    await deliver(webhook);
    show();
    await waitFor(() => expect(row()).toContain('Working'));
    expect(row()).not.toContain('refused');
    instance().clock.advance(DAY);
  });

  test('whose name does not open are listed all the same, and can be revoked', async () => {
    await member.call('POST', PATH, { name: 'bmFtZQ==', sealId: 'A'.repeat(22) });
    show();
    const row = await screen.findByRole('listitem');
    expect(row.textContent).toContain('Unreadable with this key');
    await press(member.browser, 'Revoke an unreadable webhook');
    await press(member.browser, 'Revoke it');
    await waitFor(async () => expect(await list()).toEqual([]));
  });

  test('say that they could not be fetched, and try again', async () => {
    member.browser.network.cut();
    show();
    await screen.findByText('This could not be fetched');
    member.browser.network.cut(false);
    await press(member.browser, 'Try again');
    await screen.findByText('There is no webhook yet. Nothing can arrive from outside.');
  });

  test('are twenty at most', async () => {
    for (let n = 0; n < 20; n += 1) await member.call('POST', PATH, { name: 'bmFtZQ==' });
    show();
    await screen.findByText(/These are 20, and there can be no more/);
    expect((screen.getByRole('button', { name: 'New webhook' }) as HTMLButtonElement).disabled).toBe(true);
  });

  test('show an example whose signature is accepted', async () => {
    show();
    const webhook = await make('Telephone');
    const example = await screen.findByRole('region', { name: 'Example' });
    expect(example.textContent).toBe(shellExample(webhook));
    // The server of this test listens at no port, and its clock stands still.
    const bin = mkdtempSync(join(tmpdir(), 'latebra-example-'));
    const program = (name: string, script: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    const now = new Date(Date.now());
    program('curl', `for word; do printf '%s\\0' "$word"; done > '${bin}/sent'`);
    program(
      'date',
      `[ "$1" = +%s ] && echo ${Math.floor(now.getTime() / 1000)} || echo ${now.toISOString()}`,
    );
    const env = { PATH: `${bin}:${process.env.PATH}` };
    await promisify(execFile)('sh', ['-c', example.textContent], { env });
    const words = readFileSync(join(bin, 'sent'), 'utf8').split('\0');
    rmSync(bin, { recursive: true });
    const argumentsOf = (flag: string) =>
      words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []));
    expect(words).toContain(webhook.url);
    const headers = Object.fromEntries(argumentsOf('--header').map((header) => header.split(': ')));
    const [body = ''] = argumentsOf('--data-binary');
    const answer = await instance().request('POST', pathOf(webhook), { body, headers });
    expect(answer.status).toBe(204);
  });
});

describe('the examples', () => {
  // A test of the server runs them.
  const document = readFileSync('docs/webhooks.md', 'utf8');

  test.each([
    ['sh', shellExample({ url: '$WEBHOOK_URL', secret: '$WEBHOOK_SECRET' }).replace(/'(\$\w+)'/g, '"$1"')],
    [
      'js',
      nodeExample({ url: 'URL', secret: 'SECRET' })
        .replace("'URL'", 'process.env.WEBHOOK_URL')
        .replace("'SECRET'", 'process.env.WEBHOOK_SECRET'),
    ],
  ])('in %s are those of the document for senders', (language, example) => {
    expect(document).toContain(`\`\`\`${language}\n${example}\`\`\``);
  });
});
