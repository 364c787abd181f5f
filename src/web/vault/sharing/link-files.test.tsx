// Files in one-time links below the browser, before the real server: chosen in the form, and fetched by whoever opens the link.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { FILES_LEASE } from '../../../shared/share-lease.ts';
import { lookInto } from '../../../vault/files/pictures/look-into.ts';
import { aJpeg, anExif, exifSegment } from '../../../vault/files/pictures/testing/made-pictures.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { watchDownloads } from '../../testing/downloads.ts';
import { add, aFile, areReady, beginWith, bytesOf } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import { finishMemory, memoryForm, openMemoryVault, readMemory } from '../../testing/memories.ts';
import { expectNoDialog, findRow, press, textIn } from '../../testing/steps.ts';
import { SEAL_AND_LINK } from '../entries/entry-dialog.tsx';

const instance = anInstance();

/** A memory with a file, whose one-time link is about to be made. */
async function beginToShare(): Promise<Member> {
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  await readMemory(member, await findRow('The hives'));
  await press(member.browser, 'Share');
  await screen.findByRole('dialog', { name: 'Share “The hives”' });
  return member;
}

async function makeLink({ browser }: Member): Promise<string> {
  await press(browser, 'Make a one-time link');
  return textIn(await screen.findByRole('textbox', { name: 'Link' }));
}

async function openLink(link: string) {
  const reader = openBrowser(instance());
  await reader.open(link);
  await press(reader, 'Open and read');
  return { reader, article: await screen.findByRole('article') };
}

const filesIn = async (article: HTMLElement) =>
  within(await within(article).findByRole('region', { name: 'Photos and files' }));

const countFiles = async () => (await instance().deps.db.selectFrom('files').select('id').execute()).length;

test('a link carries the files of its entry and one of its own, and whoever opens it has the same bytes', async () => {
  const member = await beginToShare();
  await add(member, aFile('Letter.pdf', 70_000, 'application/pdf', 7));
  await areReady(1);
  const link = await makeLink(member);
  const saved = watchDownloads();
  const { reader, article } = await openLink(link);
  const region = await filesIn(article);
  expect(article.textContent).toMatch(/can be fetched until .+, in this page alone/);
  expect(region.getByRole('button', { name: /Letter\.pdf/ }).textContent).toContain('68.4 KB');
  for (const [name, bytes] of [
    ['Letter.pdf', bytesOf(70_000, 7)],
    ['Hives.txt', bytesOf(3000)],
  ] as const) {
    await press(reader, new RegExp(name), article);
    const viewer = await waitFor(() => screen.getAllByRole('dialog').at(-1) ?? expect.fail('no viewer'));
    await press(reader, `Download ${name}`, viewer);
    expect(await saved()).toEqual({ name, bytes });
    await press(reader, 'Close', viewer);
    await expectNoDialog();
  }
  expect(reader.network.asked.filter((asked) => asked.endsWith('redeem'))).toHaveLength(1);
  expect(reader.network.asked.join()).not.toContain('/api/files/');

  instance().clock.advance(FILES_LEASE);
  await press(reader, /Hives\.txt/, article);
  const viewer = await waitFor(() => screen.getAllByRole('dialog').at(-1) ?? expect.fail('no viewer'));
  await press(reader, 'Download Hives.txt', viewer);
  await within(viewer).findByText(/does not give it out any more/);
});

test('what a link’s page has open goes with the page, and answers no key of the next one', async () => {
  const { reader, article } = await openLink(await makeLink(await beginToShare()));
  await press(reader, /Hives\.txt/, article);
  await screen.findByRole('dialog', { name: 'Hives.txt' });
  await reader.open('/');
  const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
  document.body.dispatchEvent(key);
  expect(key.defaultPrevented).toBe(false);
});

test('files stay where they are if their owner says so, and those of a form that is closed are given up', async () => {
  const member = await beginToShare();
  const form = within(await memoryForm());
  await member.browser.user.click(form.getByRole('checkbox', { name: 'Its file goes along' }));
  const { article } = await openLink(await makeLink(member));
  expect(article.textContent).toContain('She spoke to them first.');
  expect(within(article).queryByRole('region', { name: 'Photos and files' })).toBeNull();

  const again = await beginToShare();
  const before = await countFiles();
  await add(again, aFile('Letter.pdf', 100));
  await areReady(1);
  expect(await countFiles()).toBe(before + 1);
  await press(again.browser, 'Cancel');
  await waitFor(async () => expect(await countFiles()).toBe(before));
});

test('what was given to a link that could not be made is given up with its form', async () => {
  const member = await beginToShare();
  const before = await countFiles();
  await add(member, aFile('Letter.pdf', 100));
  await areReady(1);
  member.browser.network.intercept((request, forward) =>
    request.method === 'PUT' && request.url.endsWith('/seal')
      ? Promise.resolve(Response.json({ code: 'share-expired', message: 'It has expired.' }, { status: 410 }))
      : forward(),
  );
  await press(member.browser, 'Make a one-time link');
  await screen.findAllByText(/^Failed to /);
  expect(await countFiles()).toBe(before + 1);
  await press(member.browser, 'Cancel');
  await waitFor(async () => expect(await countFiles()).toBe(before));
});

const photo = () =>
  new File(
    [
      aJpeg([
        exifSegment(
          anExif({
            model: 'iPhone 12',
            latitude: { parts: [52, 30, 5868], half: 'N' },
            longitude: { parts: [13, 22, 3972], half: 'E' },
          }),
        ),
      ]),
    ],
    'Gate.jpg',
    { type: 'image/jpeg' },
  );

/** What whoever opened a link gets as a photo. */
async function photoFor(reader: Awaited<ReturnType<typeof openLink>>): Promise<Uint8Array> {
  const saved = watchDownloads();
  await press(reader.reader, 'View Gate.jpg', reader.article);
  await press(reader.reader, 'Download Gate.jpg');
  const { bytes } = await saved();
  await press(reader.reader, 'Close', screen.getAllByRole('dialog').at(-1));
  return bytes;
}

const carriedIn = async (bytes: Uint8Array) => (await lookInto(new Blob([new Uint8Array(bytes)]))).carried;

test('a photo that is added to a link goes without its place unless its form is told otherwise', async () => {
  const member = await beginToShare();
  await add(member, photo());
  await areReady(1);
  const box = within(await memoryForm()).getByRole<HTMLInputElement>('checkbox', {
    name: 'Remove place of Gate.jpg',
  });
  expect(box.checked).toBe(true);
  const bytes = await photoFor(await openLink(await makeLink(member)));
  expect(await carriedIn(bytes)).toBeNull();
});

test('a link that is made with its entry gives no place away unasked, and the photo once it has none', async () => {
  const begin = async () => {
    const member = await openMemoryVault(instance());
    await beginWith(member, photo());
    await areReady(1);
    const form = within(await memoryForm());
    await member.browser.user.click(
      form.getByRole('checkbox', { name: 'Make a one-time link to it as well' }),
    );
    return {
      member,
      form,
      along: () => form.getByRole<HTMLInputElement>('checkbox', { name: 'Its file goes along' }),
    };
  };
  const seal = async ({ browser }: Member) => {
    await press(browser, SEAL_AND_LINK);
    return openLink(textIn(await screen.findByRole('textbox', { name: 'Link' })));
  };
  const first = await begin();
  expect(first.along().checked).toBe(false);
  first.form.getByText(/“Gate\.jpg” says where it was taken/);
  const { article } = await seal(first.member);
  expect(article.textContent).toContain('She spoke to them first.');
  expect(within(article).queryByRole('region', { name: 'Photos and files' })).toBeNull();

  const second = await begin();
  await second.member.browser.user.click(
    second.form.getByRole('checkbox', { name: 'Remove place of Gate.jpg' }),
  );
  await areReady(1);
  expect(second.along().checked).toBe(true);
  expect(await carriedIn(await photoFor(await seal(second.member)))).toBeNull();
});

test('a link that is made with its entry takes no file along unasked that may say where it was taken', async () => {
  const member = await openMemoryVault(instance());
  const heic = new File(['\0\0\0\x18ftypheic\0\0\0\0mif1heic'], 'Gate.heic', { type: 'image/heic' });
  await beginWith(member, heic);
  await areReady(1);
  const form = within(await memoryForm());
  await member.browser.user.click(form.getByRole('checkbox', { name: 'Make a one-time link to it as well' }));
  expect(form.getByRole<HTMLInputElement>('checkbox', { name: 'Its file goes along' }).checked).toBe(false);
  form.getByText(/“Gate\.heic” may say where it was taken\. This page cannot remove it\./);
});
