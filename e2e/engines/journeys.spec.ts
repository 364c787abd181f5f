// The three main journeys in browsers that Playwright cannot drive as Debian ships them: Firefox and WebKitGTK. Everything
// else that only a browser shows is tried in Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { findFirefox, findWebKit } from '../../scripts/find-programs.mjs';
import { type Running, startBuilt } from '../built-server.ts';
import { launchFirefox } from './firefox.ts';
import type { Engine } from './tab.ts';
import { DIALOG, Visitor } from './visitor.ts';
import { launchWebKit } from './webkitgtk.ts';

const firefox = findFirefox();
const webkit = findWebKit();
const engines: { name: string; launch: (() => Promise<Engine>) | null }[] = [
  { name: 'Firefox', launch: firefox === null ? null : () => launchFirefox(firefox) },
  { name: 'WebKitGTK', launch: webkit === null ? null : () => launchWebKit(webkit) },
];

const NAME = 'Ágnes of the Lake';
const PASSPHRASE = 'plum cake on a stone wall';
const ADDRESS = 'https://example.org/bell';
const MEMORY = { title: 'The bell under the lake', words: ['It still rings.', `Every winter: ${ADDRESS}`] };
const SCROLL = { title: 'Where the key lies', words: 'Under the third stone from the gate.' };
/** What an engine itself notes of a request that is refused, as it must be. */
const REFUSED = /status of 4\d\d/;

/** A picture of one pixel, in Base64. */
const PHOTO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Chooses a file in the form that stands open, as the dialog of a browser would, which no test can see. */
const chooseFile = (base64: string, name: string) => `(() => {
  const bytes = Uint8Array.from(atob('${base64}'), (sign) => sign.charCodeAt(0));
  const chosen = new DataTransfer();
  chosen.items.add(new File([bytes], '${name}', { type: 'image/png' }));
  const input = document.querySelector('[role=dialog] input[type=file]');
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
})()`;

/** Keeps the last blob that the page gives an address to, and gives its bytes in Base64. */
const KEEP_BLOBS = `(() => {
  const give = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    window.lastBlob = blob;
    return give(blob);
  };
})()`;
const LAST_BLOB = `window.lastBlob.arrayBuffer()
  .then((bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))))`;

/** From the first door to the chambers, by a name and a passphrase. */
async function makeVault(visitor: Visitor): Promise<void> {
  await visitor.follow('Begin the Ritual');
  await visitor.press('Begin with a name and a passphrase');
  await visitor.fill({ role: 'textbox', name: 'Name' }, NAME);
  await visitor.fill({ label: 'Passphrase' }, PASSPHRASE);
  await visitor.fill({ label: 'Repeat passphrase' }, PASSPHRASE);
  // The line that says so moves the button; a press that is under way would miss it.
  await visitor.sees({ role: 'main' }, 'Hard to guess.');
  await visitor.press('Make the vault');
  await visitor.fill({ label: 'What are you hiding?' }, 'A bell under a lake');
  await visitor.press('Continue');
  await visitor.fill({ label: 'Who do you trust?' }, 'My sister');
  await visitor.press('Continue');
  await visitor.fill({ label: 'What would you burn to keep it safe?' }, 'The house, not the letters');
  await visitor.press('Enter the Vault');
  await visitor.seesHeading('The chambers');
}

/** Writes the twenty-four words down and answers for three of them. Answers all of them, with spaces between. */
async function keepWords(visitor: Visitor): Promise<string> {
  const dialog = { role: 'dialog', name: 'The twenty-four words' };
  await visitor.press('Write them down');
  const { items } = await visitor.sees({ role: 'list', within: dialog });
  const words = items.map((item) => item.replace(/^\d+/, '').trim());
  expect(words).toHaveLength(24);
  await visitor.press('I have written them down', dialog);
  const { text } = await visitor.sees(dialog, /Word \d+/);
  for (const [label, number] of text.matchAll(/Word (\d+)/g)) {
    await visitor.fill({ label, within: dialog }, words[Number(number) - 1] ?? '');
  }
  await visitor.press('Prove it', dialog);
  await visitor.seesNo(dialog);
  return words.join(' ');
}

async function sealMemory(visitor: Visitor): Promise<void> {
  await visitor.follow(/Memory Vault/);
  await visitor.press('New Memory');
  await visitor.fill({ role: 'textbox', name: 'Title' }, MEMORY.title);
  await visitor.fill({ role: 'textbox', name: 'Memory' }, MEMORY.words.join('\n\n'));
  await visitor.press('Seal Memory');
  await visitor.seesNo(DIALOG);
}

async function readMemory(visitor: Visitor): Promise<void> {
  // The row's name begins with its day; the button beside it deletes.
  await visitor.press(new RegExp(`^(?!Delete).*${MEMORY.title}`));
  await seeMemory(visitor);
}

/** The reader with its words, of which the address is a link. */
async function seeMemory(visitor: Visitor): Promise<void> {
  for (const words of MEMORY.words) await visitor.sees(DIALOG, words);
  await visitor.sees({ role: 'link', name: ADDRESS, within: DIALOG });
}

/** As `readMemory`, from wherever somebody is. */
async function findMemory(visitor: Visitor, query: string): Promise<void> {
  await visitor.press('Search');
  await visitor.fill({ role: 'combobox', name: 'Search or go to' }, query);
  await visitor.click({ role: 'option', name: new RegExp(MEMORY.title) });
  await seeMemory(visitor);
}

for (const { name, launch } of engines) {
  test.describe(name, () => {
    // Each journey goes on with the vault of the one before: making a vault takes a third of each journey's time.
    test.describe.configure({ mode: 'serial', timeout: 600_000 });
    test.skip(launch === null, `${name} is not installed.`);

    let engine: Engine;
    let server: Running;
    let dataDir: string;
    const visitors: Visitor[] = [];
    let owner: Visitor;
    let words = '';

    /** Somebody whose browser has never been here, at a page. */
    async function arrive(url: string): Promise<Visitor> {
      const visitor = new Visitor(await engine.newTab());
      visitors.push(visitor);
      await visitor.tab.open(url);
      return visitor;
    }

    async function attachScreens(testInfo: TestInfo): Promise<void> {
      for (const { tab } of visitors) {
        await testInfo.attach('shown', {
          body: Buffer.from(await tab.screenshot()),
          contentType: 'image/png',
        });
      }
    }

    /** Takes a picture to look at, once what stands in the document has been drawn. */
    async function picture(visitor: Visitor, what: string): Promise<void> {
      await visitor.tab.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
      const folder = 'test-results/pictures';
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name.toLowerCase()}-${what}.png`), await visitor.tab.screenshot());
    }

    test.beforeAll(async () => {
      if (!launch) return;
      dataDir = mkdtempSync(join(tmpdir(), 'latebra-engines-'));
      [engine, server] = await Promise.all([launch(), startBuilt(dataDir)]);
    });

    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what is asked for from the pattern
    test.afterEach(async ({}, testInfo) => {
      if (testInfo.status !== testInfo.expectedStatus) await attachScreens(testInfo);
      const said = visitors.flatMap(({ tab }) => tab.said()).filter((line) => !REFUSED.test(line));
      for (const visitor of visitors.splice(0)) {
        if (visitor === owner) visitors.push(owner);
        else await visitor.tab.close();
      }
      expect(said, 'nothing unexpected was said in the console').toEqual([]);
    });

    test.afterAll(async () => {
      if (!launch) return;
      await Promise.all(visitors.splice(0).map(({ tab }) => tab.close()));
      await engine?.close();
      server?.child.kill('SIGTERM');
      await server?.ended;
      rmSync(dataDir, { recursive: true });
    });

    test('a vault is made by a name and a passphrase, and a memory in it is read after a reload', async () => {
      owner = await arrive(server.url);
      await makeVault(owner);
      await picture(owner, 'chambers');
      words = await keepWords(owner);
      await sealMemory(owner);
      await owner.tab.reload();
      await findMemory(owner, 'winter');
      await picture(owner, 'memory');
    });

    test('a one-time link opens once, for somebody who has never been here', async () => {
      await owner.tab.open(`${server.url}/sacred-keys`);
      await owner.press('Create Sacred Key');
      await owner.choose('Content type', 'Memory', DIALOG);
      await owner.choose('Specific entry', MEMORY.title, DIALOG);
      await owner.press('Create Sacred Key', DIALOG);
      const link = await owner.valueOf({ role: 'textbox', name: 'Link' });
      await picture(owner, 'link');

      const reader = await arrive(link);
      await reader.press('Open and read');
      for (const part of [MEMORY.title, ...MEMORY.words]) await reader.sees({ role: 'article' }, part);
      expect(await reader.address()).toBe(link.replace(/#.*/, ''));
      await picture(reader, 'opened');
      const another = await arrive(link);
      await another.seesHeading('This link was opened before');
      await reader.tab.reload();
      await reader.seesHeading('This link was opened before');
    });

    test('the twenty-four words open the vault elsewhere, and a released scroll opens by its card', async () => {
      const author = await arrive(`${server.url}/enter`);
      await author.press('The twenty-four words');
      await author.fill({ label: 'The twenty-four words' }, words);
      await author.press('Enter');
      await author.press('Others use it');
      // This browser has not seen the vault's book before. What stands beneath a line that goes moves up.
      await author.press('That is right');
      await author.sees({ role: 'link', name: new RegExp(MEMORY.title) }, MEMORY.title);
      await author.follow(/Memory Vault/);
      await readMemory(author);

      await author.tab.open(`${server.url}/legacy-scroll`);
      await author.fill({ role: 'textbox', name: 'Title' }, SCROLL.title);
      await author.fill({ role: 'textbox', name: 'Letter' }, SCROLL.words);
      await author.choose('When', 'When I press “Release now”');
      await author.press('Seal the letter');
      const card = { role: 'dialog', name: 'The key card' };
      const link = await author.valueOf({ role: 'textbox', name: 'Link', within: card });
      await picture(author, 'card');
      await author.press('I have handed it over', card);
      await author.press('Activate Watch', { role: 'dialog', name: 'Activate Watch' });
      await author.sees({ role: 'article' }, 'Watching');

      const recipient = await arrive(link);
      await recipient.press('Try the card');
      await recipient.seesHeading('Your card is whole');
      await author.press(/More “/);
      await author.press(/^Release now/);
      await author.press('Release now', { role: 'alertdialog' });
      await author.sees({ role: 'article' }, 'Released');
      await recipient.tab.reload();
      await recipient.press('Open the scroll');
      for (const part of [SCROLL.title, SCROLL.words]) await recipient.sees({ role: 'article' }, part);
      await picture(recipient, 'scroll');
    });

    test('a photo is sealed with a memory, drawn, and has the bytes that were chosen', async () => {
      await owner.tab.open(`${server.url}/memory-vault`);
      await owner.press('New Memory');
      await owner.fill({ role: 'textbox', name: 'Title' }, 'The gate');
      await owner.fill({ role: 'textbox', name: 'Memory' }, 'It was green then.');
      await owner.sees({ role: 'button', name: 'Add photos or files' });
      await owner.tab.evaluate(chooseFile(PHOTO, 'Gate.png'));
      await owner.sees(DIALOG, /· Ready/);
      await owner.press('Seal Memory');
      await owner.seesNo(DIALOG);
      await owner.tab.reload();
      await owner.press(/^(?!Delete).*The gate/);
      await owner.sees({ role: 'button', name: 'View Gate.png' });
      await owner.tab.evaluate(KEEP_BLOBS);
      await owner.press('View Gate.png');
      await owner.sees({ role: 'img', name: 'Gate.png' });
      expect(await owner.tab.evaluate(LAST_BLOB)).toBe(PHOTO);
      expect(
        await owner.tab.evaluate(
          `document.querySelector('img[alt="Gate.png"]').decode().then(() => 'drawn')`,
        ),
      ).toBe('drawn');
      await picture(owner, 'photo');
    });
  });
}
