// A letter that two other instances keep: its author leaves it with them and lives for them, then their own server is gone for ever, and
// nobody hears of them. One mail, one link, and the words. How instances count, exchange shares and refuse each other is told in
// src/server/deadman/sisters.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { deriveSisterIdentity } from '../src/server/adapters/sister-identity.ts';
import { createDigests } from '../src/server/digests.ts';
import { inFours } from '../src/shared/in-fours.ts';
import { freePort } from '../src/testing/free-port.ts';
import { openPostOffice } from '../src/testing/post-office.ts';
import { expect, openInstance, type TestInstance } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast, rowOf } from './rites.ts';
import { stranger } from './sharing.ts';
import { linkIn, mails, test } from './transports.ts';

const DAY = 24 * 60 * 60 * 1000;
const TITLE = 'Where the key lies';
const WORDS = 'Under the third stone from the gate.';
const ADDRESS = 'mira@mail.example';

interface Joined {
  url: string;
  address: string;
  start: () => Promise<TestInstance>;
}

/** So many instances that list each other. */
async function joined(count: number, smtp: string): Promise<Joined[]> {
  const places = await Promise.all(
    Array.from({ length: count }, async () => {
      const secret = randomBytes(32);
      const port = String(await freePort());
      const { address } = await deriveSisterIdentity(createDigests(secret));
      return { port, url: `http://localhost:${port}`, address, secret: secret.toString('hex') };
    }),
  );
  return places.map(({ port, url, address, secret }) => ({
    url,
    address,
    start: () =>
      openInstance({
        ...{ PORT: port, PUBLIC_URL: url, SECRET_KEY: secret },
        SISTERS: places
          .filter((other) => other.url !== url)
          .map((other) => `${other.url}#${other.address}`)
          .join(','),
        ...{ SMTP_URL: smtp, MAIL_FROM: 'Latebra <vault@example.org>' },
      }),
  }));
}

/** Everything that an instance has on its disk. */
function everythingOn({ dataDir }: TestInstance): string {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(dataDir, name),
  );
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

async function writeAndWatch(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(TITLE);
  await page.getByRole('textbox', { name: 'Letter' }).fill(WORDS);
  await page.getByLabel('Days without activity').fill('1');
  await page.getByLabel('Email address').fill(ADDRESS);
  await page.getByRole('button', { name: 'Seal the letter' }).click();
  await page
    .getByRole('dialog', { name: 'The key card' })
    .getByRole('button', { name: /handed it over/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Activate Watch' });
  await dialog.getByLabel('Warnings').selectOption({ label: 'On the dashboard only' });
  await dialog.getByRole('button', { name: 'Activate Watch' }).click();
  await expectToast(page, 'Legacy Scroll Activated');
}

async function openSisters(page: Page) {
  const row = rowOf(page, TITLE);
  await row.getByRole('button', { name: /^More/ }).click();
  await row.getByRole('button', { name: /^Sisters/ }).click();
  return page.getByRole('dialog', { name: 'Sisters' });
}

test('two instances keep a letter, live on when its own is gone, and one of them sends it, once', async ({
  page: author,
  browser,
  quiet,
}) => {
  test.setTimeout(180_000);
  const post = await openPostOffice();
  const places = await joined(3, post.url);
  const [home, one, two] = await Promise.all(places.map(({ start }) => start()));
  if (!home || !one || !two) throw new Error('there are three');
  const hosts = places.map(({ url }) => new URL(url).host);
  try {
    await enterAsMember(author, home, 'agnes', '/legacy-scroll');
    await writeAndWatch(author);
    const dialog = await openSisters(author);
    for (const { address } of places.slice(1)) await expect(dialog).toContainText(inFours(address));
    await expect(dialog).toContainText(`If those who run ${hosts[1]} and ${hosts[2]} work together`);
    await lookAt(author, 'sisters-choose');
    await dialog.getByRole('button', { name: 'Leave it with these' }).click();
    await expect(dialog).toContainText('Compare them first.');
    await dialog.getByLabel('I have compared their addresses').check();
    await dialog.getByRole('button', { name: 'Leave it with these' }).click();
    await expectToast(author, 'Left With Sisters');
    await expect(rowOf(author, TITLE)).toContainText(/Sisterslocalhost:\d+Last reached on/);
    await lookAt(author, 'sisters-row');

    // A day later, at the first unlock, each is given another sign.
    const signs: string[] = [];
    author.on('request', (request) => {
      if (request.url().endsWith('/api/sisters/signs')) signs.push(new URL(request.url()).host);
    });
    await author.clock.setSystemTime(Date.now() + 2 * DAY);
    await author.reload();
    await expect.poll(() => [...signs].sort()).toEqual(hosts.slice(1).sort());
    await author.reload();
    await expect(rowOf(author, TITLE)).toContainText('Sisters');
    const anew = await openSisters(author);
    await lookAt(author, 'sisters-kept');
    await anew.getByRole('button', { name: 'Leave it as it is' }).click();
    expect(signs).toHaveLength(2);
    await author.goto('about:blank');

    // Nothing that a sister keeps says a word of the letter, nor whom it is for.
    for (const sister of [one, two])
      for (const secret of [TITLE, WORDS, ADDRESS]) expect(everythingOn(sister)).not.toContain(secret);
    await home.stop();

    // Thirty days more than at home: once silence is over, each has the other's share, and the first whose turn comes writes.
    const both = (work: (sister: TestInstance) => Promise<void>) => Promise.all([one, two].map(work));
    await both((sister) => sister.live(30 * DAY));
    await mails(post, /was left for you/, 0);
    /** In which each of the two has its turn. */
    const live = async (days: number, until = () => false) => {
      for (let quarter = 0; quarter < 4 * days && !until(); quarter++) {
        await both((sister) => sister.live(DAY / 4));
        await both((sister) => sister.runSlowJobs());
      }
      await both((sister) => sister.live(1));
    };
    const reader = await stranger(browser, quiet);
    await live(14, () => post.received.length > 0);
    const [mail] = await mails(post, /was left for you/, 1);
    expect(mail?.recipient).toBe(ADDRESS);
    for (const secret of [TITLE, WORDS]) expect(JSON.stringify(mail?.mail)).not.toContain(secret);
    const link = linkIn(mail?.mail.text);
    expect(link).toMatch(/\/sisters\/[\w-]{22}#[\w-]{43}$/);
    await reader.goto(link);
    await expect(reader.getByRole('article')).toContainText(WORDS);
    await expect(reader.getByRole('heading', { name: TITLE })).toBeVisible();
    await expect.poll(() => new URL(reader.url()).hash).toBe('');
    await lookAt(reader, 'sisters-letter');
    await reader.reload();
    await expect(reader.getByRole('article')).toContainText(WORDS);
    // Both are needed, so that neither may lie: the other one was shown the token, and writes to nobody.
    await live(9);
    await mails(post, /was left for you/, 1);

    // Who comes while one of them is away is told how many are missing.
    const writer = new URL(link).host;
    const [sender, silent] = writer === hosts[1] ? [one, two] : [two, one];
    quiet.expect(/ERR_CONNECTION_REFUSED/);
    await silent.stop();
    const late = await stranger(browser, quiet);
    await late.goto(link);
    await expect(late.getByRole('heading', { name: 'One more is missing' })).toBeVisible();
    await expect(late.getByText(/does not answer just now/)).toBeVisible();
    await lookAt(late, 'sisters-missing');
    await late.goto(`${sender.url}/sisters/address`);
    const { address } = places.find(({ url }) => url === sender.url) ?? { address: '' };
    await expect(late.getByText(inFours(address))).toBeVisible();
    await lookAt(late, 'sisters-address');
    await sender.stop();
  } finally {
    await post.close();
  }
});
