// The book before a server that lies, as people see it: twelve attacks, each named in words; what is no attack; and the way
// on. What is found and when is told in src/web/vault/book and src/web/chambers/book.
import type { BrowserContext, Page, Route } from '@playwright/test';
import { fromHex } from '../src/crypto/base64.ts';
import { draftAcceptance, readBook } from '../src/crypto/book.ts';
import { generateVaultKey } from '../src/crypto/vault-key.ts';
import type { SealedBookEntry } from '../src/shared/nouns/book.ts';
import type { Memory } from '../src/shared/nouns/memory.ts';
import type { Relationship } from '../src/shared/nouns/relationship.ts';
import { backUp } from './backup.ts';
import { expect, type TestInstance, test } from './instance.ts';
import { callsOf, enterAsMember } from './member.ts';
import { lookAt, takePicture } from './pictures.ts';
import { rowOf, sealMemory } from './rites.ts';
import { keyIn, postMemory, postSealed } from './sealing.ts';

const MEMORIES = '/api/memory-entries';
const MOMENTS = '/api/relationship-entries';
const DELETED = '/api/deleted-memory-entries';
const BOOK = '/api/book';
const DAY = 24 * 60 * 60 * 1000;
const AS_WRITTEN = 'Everything that was shown so far is as it was written.';

const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'This server' });

async function openBook(page: Page, { url }: Pick<TestInstance, 'url'>): Promise<void> {
  await page.goto(`${url}/book`);
  await expect(page.getByRole('heading', { name: 'The Book', level: 1 })).toBeVisible();
  await expect(page.locator('#in-short')).toBeVisible();
}

async function checkEverything(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check everything now' }).click();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

/** Has what was written without entries taken into the book. */
async function takeAllIn(page: Page): Promise<void> {
  await checkEverything(page);
  await page.getByRole('button', { name: 'Take all in' }).click();
  await expect(page.getByRole('region', { name: 'Not yet in your book' })).toBeHidden();
}

/** Bends what is answered to whoever reads a list. */
async function bend<T>(page: Page, path: string, change: (answer: T) => unknown): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route: Route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as T) });
    },
  );
}

/** A vault whose book has seen rows come, change and go, and what the server showed of them before. */
async function aVault(page: Page, instance: TestInstance) {
  await enterAsMember(page, instance, 'agnes', '/book');
  // The lies are told in lists, which a device that others use fetches at each visit.
  await page.evaluate(() => {
    for (const slot of Object.keys(localStorage))
      if (slot.startsWith('latebra.device:')) localStorage.setItem(slot, 'shared');
  });
  const call = callsOf(page, instance);
  const key = await keyIn(page);
  for (const title of ['The orchard', 'The well', 'The bell'])
    await postMemory(page, instance, key, title, `${title}, as it was.`);
  const timeLockUntil = new Date(Date.now() + 300 * DAY).toISOString();
  await postMemory(page, instance, key, 'For the wedding', 'Not yet.', { timeLockUntil });
  const texts = { personName: 'Nora', encryptedContent: 'On the ferry.' };
  const clear = { eventType: 'confession', emotionalWeight: 4 };
  await postSealed(page, instance, MOMENTS, 'relationship', key, texts, clear);
  await takeAllIn(page);
  const before = await call<Memory[]>('GET', MEMORIES);
  const [, bell, well, orchard] = before as [Memory, Memory, Memory, Memory];

  await page.goto(`${instance.url}/memory-vault`);
  await rowOf(page, 'The orchard').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The old orchard');
  await page.getByRole('button', { name: /^Seal/ }).last().click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Delete The bell' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expect(rowOf(page, 'The bell')).toHaveCount(0);
  await sealMemory(page, 'The last word', 'Written last.');
  const entries = await call<SealedBookEntry[]>('GET', `${BOOK}?from=1`);
  return { key, orchard, well, bell, entries, n: entries.length };
}
type Vault = Awaited<ReturnType<typeof aVault>>;

/** Another browser with the same session and key. @param without the beginning of slots that it does not have */
const twin = async (context: BrowserContext, without?: string): Promise<Page> => {
  const state = await context.storageState();
  for (const origin of state.origins)
    origin.localStorage = origin.localStorage.filter(({ name }) => !without || !name.startsWith(without));
  const other = await context.browser()?.newContext({ storageState: state, reducedMotion: 'reduce' });
  if (!other) throw new Error('there is no browser');
  return other.newPage();
};

interface Attack {
  name: string;
  /** What the server does. */
  bend: (page: Page, vault: Vault, instance: TestInstance) => Promise<unknown>;
  /** Where it is seen first, and what is said there; the page of the book unless told. */
  at?: { path: string; open?: RegExp };
  says: RegExp | RegExp[];
  /** What every page says. */
  banner?: string;
}

const LOST = 'This server shows an older state of your vault than this browser has seen.';
const OTHERWISE = 'This server shows something that your vault’s book does not have.';
const dropHeads = (page: Page, { n }: Vault, count: number) =>
  bend<SealedBookEntry[]>(page, BOOK, (all) => all.filter((entry) => entry.n <= n - count));

const ATTACKS: Attack[] = [
  {
    name: 'omitted-row',
    bend: (page, { well }) =>
      bend<Memory[]>(page, MEMORIES, (rows) => rows.filter(({ sealId }) => sealId !== well.sealId)),
    says: /^A memory that was written on .+ is missing\./,
    banner: 'This server does not show 1 entry that your vault’s book has.',
  },
  {
    name: 'old-version',
    bend: (page, { orchard }) =>
      bend<Memory[]>(page, MEMORIES, (rows) => rows.map((row) => (row.id === orchard.id ? orchard : row))),
    says: /^A memory is not shown as it was written on /,
    banner: OTHERWISE,
  },
  {
    name: 'old-version-new-number',
    bend: (page, { orchard }) =>
      bend<Memory[]>(page, MEMORIES, (rows) =>
        rows.map((row) => (row.id === orchard.id ? { ...orchard, version: row.version } : row)),
      ),
    at: { path: '/memory-vault', open: /See what was changed/ },
    says: /The server shows an older version \(1\) as the newest \(2\)\./,
    banner: OTHERWISE,
  },
  {
    name: 'altered-lock',
    bend: (page) =>
      bend<Memory[]>(page, MEMORIES, (rows) =>
        rows.map((row) =>
          row.timeLockUntil ? { ...row, timeLockUntil: new Date(Date.now() + 600 * DAY).toISOString() } : row,
        ),
      ),
    at: { path: '/memory-vault', open: /See what was changed/ },
    says: /Its lock date was .+ when you sealed it\. The server now says: /,
  },
  {
    name: 'altered-weight',
    bend: (page) =>
      bend<Relationship[]>(page, MOMENTS, (rows) => rows.map((row) => ({ ...row, emotionalWeight: 1 }))),
    at: { path: '/relationship-ledger', open: /See what was changed/ },
    says: /The weight in the clear was .+ when you sealed it\. The server now says: /,
  },
  {
    name: 'swapped-ciphertexts',
    bend: (page, { orchard, well }) =>
      bend<Memory[]>(page, MEMORIES, (rows) => {
        const [a, b] = [orchard, well].map(({ id }) => rows.find((row) => row.id === id)) as [Memory, Memory];
        const texts = ({ title, encryptedContent, details }: Memory) => ({
          title,
          encryptedContent,
          details,
        });
        return rows.map((row) =>
          row.id === a.id ? { ...a, ...texts(b) } : row.id === b.id ? { ...b, ...texts(a) } : row,
        );
      }),
    says: [/^A memory is not shown as it was written on /, /^A memory is not shown as it was written on /],
    banner: OTHERWISE,
  },
  {
    name: 'resurrected-row',
    bend: async (page, { bell }) => {
      await bend<Memory[]>(page, MEMORIES, (rows) => [...rows, bell].sort((one, other) => other.id - one.id));
      await bend<Memory[]>(page, DELETED, () => []);
    },
    says: /^A memory that was deleted on .+ is shown again\./,
    banner: OTHERWISE,
  },
  {
    name: 'dropped-heads',
    bend: (page, vault) => dropHeads(page, vault, 2),
    says: /^This server went back from change 4 to 2: 2 changes are missing\.$/,
    banner: LOST,
  },
  {
    name: 'row-dropped-with-its-head',
    bend: async (page, vault) => {
      await dropHeads(page, vault, 1);
      await bend<Memory[]>(page, MEMORIES, (rows) => rows.slice(1));
    },
    says: /^This server went back from change 4 to 3: 1 change is missing\.$/,
    banner: LOST,
  },
  {
    name: 'forged-adoption',
    async bend(page, { entries, key }) {
      // Somebody without the key says that its owner has accepted the loss.
      const { book } = await readBook(entries.slice(0, 3), null, [fromHex(key.hex)]);
      const { hash } = (await readBook(entries, null, [fromHex(key.hex)])).book.head;
      const author = { device: 'Chrome on Linux', at: Date.now() };
      const { n, sealed } = await draftAcceptance(book, { n: 4, hash }, author, generateVaultKey());
      await bend<SealedBookEntry[]>(page, BOOK, () => [...entries.slice(0, 3), { n, sealed }]);
    },
    says: /^What this server shows as change 4 is not what this browser has seen\.$/,
    banner: 'This server shows another history of your vault than this browser has seen.',
  },
];

test('twelve attacks are named in words, and what is no attack is not', async ({
  page,
  instance,
  context,
  quiet,
}) => {
  quiet.expect(/status of 40[0-9]/);
  const vault = await aVault(page, instance);
  expect(vault.n).toBe(4);
  const pins = await page.evaluate(() => ({ ...localStorage }));
  const list = page.getByRole('main').getByRole('listitem');

  for (const { name, bend, at, says, banner: said } of ATTACKS) {
    await test.step(name, async () => {
      await bend(page, vault, instance);
      if (at) {
        await page.goto(instance.url + at.path);
        if (at.open) await page.getByRole('button', { name: at.open }).first().click();
        await expect(page.getByText(says as RegExp).first()).toBeVisible();
        await takePicture(page, `wide-book-${name}`, { fullPage: true });
        if (at.open) await page.keyboard.press('Escape');
      } else {
        await openBook(page, instance);
        const isOfChain = said !== undefined && !/entr|something/.test(said);
        if (isOfChain) await expect(page.getByText(says as RegExp)).toBeVisible();
        else {
          await checkEverything(page);
          const sentences = [says].flat();
          await expect(list.filter({ hasText: 'It was me' })).toHaveCount(sentences.length);
          for (const [i, words] of sentences.entries())
            await expect(list.filter({ hasText: 'It was me' }).nth(i).locator('p')).toHaveText(words);
        }
        // Others look alike.
        if (name === 'omitted-row') await lookAt(page, `book-${name}`, { fullPage: true });
        else await takePicture(page, `wide-book-${name}`, { fullPage: true });
        await page.getByRole('banner').getByRole('link').first().click();
      }
      if (said) {
        await expect(banner(page)).toHaveText(said);
        await takePicture(page, `wide-book-banner-${name}`);
      }
      await page.unrouteAll({ behavior: 'wait' });
      await page.evaluate((kept) => {
        for (const [slot, text] of Object.entries(kept)) localStorage.setItem(slot, text);
      }, pins);
    });
  }

  await test.step('a fork that is shown later', async () => {
    const other = await twin(context);
    // What this browser writes the server keeps to itself.
    await page.route(
      (url) => url.pathname === MEMORIES,
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        const now = new Date().toISOString();
        const body = route.request().postDataJSON() as object;
        const made = {
          id: 900,
          version: 1,
          details: null,
          timeLockUntil: null,
          createdAt: now,
          updatedAt: now,
        };
        await route.fulfill({ status: 201, json: { ...made, ...body } });
      },
    );
    await page.goto(`${instance.url}/memory-vault`);
    await sealMemory(page, 'Never kept', 'Of another history.');
    await page.unrouteAll({ behavior: 'wait' });
    await other.goto(`${instance.url}/memory-vault`);
    await sealMemory(other, 'Kept', 'Of this one.');
    await openBook(other, instance);
    await expect(other.getByText(AS_WRITTEN)).toBeVisible();
    await other.context().close();
    await openBook(page, instance);
    await expect(
      page.getByText('What this server shows as change 5 is not what this browser has seen.'),
    ).toBeVisible();
    await takePicture(page, 'wide-book-fork-shown-later', { fullPage: true });
    await page.evaluate((kept) => {
      for (const [slot, text] of Object.entries(kept)) localStorage.setItem(slot, text);
    }, pins);
  });

  await test.step('an honest server is called no liar after all that', async () => {
    await openBook(page, instance);
    await checkEverything(page);
    await expect(page.getByRole('heading', { name: AS_WRITTEN })).toBeVisible();
    await takePicture(page, 'wide-book-as-written', { fullPage: true });
  });
});

test('a restored backup is named, what a page still has is written again, and the loss is accepted by mouse and by keyboard', async ({
  page,
  instance,
  context,
  quiet,
}) => {
  quiet.expect(/status of 40[0-9]|ERR_CONNECTION|Failed to fetch|net::/);
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await sealMemory(page, 'The orchard', 'Ladders.');
  const restore = await backUp(instance);
  await page.reload();
  await sealMemory(page, 'The well', 'It was never dry.');
  await sealMemory(page, 'The bell', 'Under the lake.');
  const other = await twin(context);
  await other.goto(`${instance.url}/book`);
  await expect(other.getByText('Last change', { exact: true })).toBeVisible();

  await restore();
  // Within the app: what stands open in the page is still there.
  await page.getByRole('link', { name: 'Sacred Settings' }).first().click();
  await page.getByRole('link', { name: 'The Book' }).click();
  await expect(
    page.getByText('This server went back from change 3 to 1: 2 changes are missing.'),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: 'What this page still has' })).toContainText('The well');
  await lookAt(page, 'book-whole-rollback', { fullPage: true });
  await page.getByRole('button', { name: 'Write them again' }).click();
  await expect(page.getByText('2 entries were written again.')).toBeVisible();
  await page.getByRole('button', { name: 'Accept what the server has now' }).click();
  await takePicture(page, 'wide-book-accept');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await checkEverything(page);
  await expect(page.getByRole('heading', { name: AS_WRITTEN })).toBeVisible();
  await expect(page.getByText(/accepted that the server lost changes 2 to 3\.$/)).toBeVisible();
  await page.goto(`${instance.url}/memory-vault`);
  await expect(rowOf(page, 'The bell')).toBeVisible();

  await openBook(other, instance);
  await expect(other.getByText(/accepted that the server lost changes 2 to 3\.$/)).toBeVisible();
  await expect(other.getByRole('heading', { name: AS_WRITTEN })).toBeVisible();
  await takePicture(other, 'wide-book-accepted-elsewhere', { fullPage: true });
  await other.context().close();

  // Once more, without a mouse: a loss that was accepted stands for no other.
  await sealMemory(page, 'The ferry', 'At night.');
  await restore();
  await openBook(page, instance);
  await expect(page.getByText(/^This server went back from change 3 to 1/)).toBeVisible();
  await page.getByRole('button', { name: 'Accept what the server has now' }).focus();
  await page.keyboard.press('Enter');
  const accept = page.getByRole('alertdialog').getByRole('button', { name: 'Accept' });
  await expect(page.getByRole('alertdialog')).toBeVisible();
  for (let i = 0; i < 4 && !(await accept.evaluate((it) => it === document.activeElement)); i += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await checkEverything(page);
  await expect(page.getByRole('heading', { name: AS_WRITTEN })).toBeVisible();
});

test('two tabs, a reload in the middle of a write, a program without a book, and a browser that has forgotten everything are no lies', async ({
  page,
  instance,
  context,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await sealMemory(page, 'In the first tab', 'One.');
  const tab = await context.newPage();
  await tab.goto(`${instance.url}/memory-vault`);
  await sealMemory(tab, 'In the second tab', 'Two.');
  await sealMemory(page, 'In the first tab again', 'Three.');
  await tab.close();

  // It arrives, and the page is gone before it is told.
  let arrived = () => {};
  const hasArrived = new Promise<void>((done) => {
    arrived = done;
  });
  await page.route(
    (url) => url.pathname === MEMORIES,
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      arrived();
    },
  );
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Cut off');
  await page.getByRole('textbox', { name: 'Memory' }).fill('Four.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await hasArrived;
  await page.goto(`${instance.url}/robots.txt`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  // A client without a book.
  await postMemory(page, instance, await keyIn(page), 'From a program', 'Five.');
  await page.goto(`${instance.url}/memory-vault`);
  await expect(rowOf(page, 'Cut off')).toBeVisible();
  await expect(rowOf(page, 'From a program')).toBeVisible();
  await openBook(page, instance);
  await checkEverything(page);
  await expect(page.getByRole('heading', { name: AS_WRITTEN })).toBeVisible();
  await expect(page.getByText('2 entries are not in the book yet, which is no finding.')).toBeVisible();
  await lookAt(page, 'book-unknown', { fullPage: true });
  await page.getByRole('button', { name: 'Take all in' }).click();
  await expect(page.getByRole('region', { name: 'Not yet in your book' })).toBeHidden();

  const anew = await twin(context, 'latebra.book');
  await anew.goto(`${instance.url}/memory-vault`);
  const question = anew.getByText(
    /^This browser sees your vault’s book for the first time\. It was last written /,
  );
  await expect(question).toContainText('(change 5)');
  await takePicture(anew, 'wide-book-first-look-banner');
  await openBook(anew, instance);
  await lookAt(anew, 'book-first-look', { fullPage: true });
  await anew.getByRole('button', { name: 'That is right' }).click();
  await checkEverything(anew);
  await expect(anew.getByRole('heading', { name: AS_WRITTEN })).toBeVisible();
  await anew.context().close();
});
