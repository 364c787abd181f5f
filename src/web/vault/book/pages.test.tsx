// A list that comes in pages, compared with the book: it is compared as a whole, whatever page something is missing on, and
// no page is fetched a second time for it.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { aDevice } from '../../testing/devices.ts';
import { refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { MEMORIES, postMemory } from '../../testing/memories.ts';
import { expectToast, fill, press } from '../../testing/steps.ts';

const instance = anInstance();
const ONE_MISSING = 'This server does not show 1 entry that your vault’s book has.';
/** How many rows the pages have here; a server's own have five hundred. */
const PAGE = 2;

interface Lie {
  /** What is left of a page below a row. */
  below: (rows: Memory[]) => Memory[];
  /** Whether a page says that there are more. */
  saysMore: (isMore: boolean) => boolean;
}
const HONEST: Lie = { below: (rows) => rows, saysMore: (isMore) => isMore };

/** A member with five memories in the book, before a server whose pages are short. */
async function openInPages(lie: Partial<Lie>): Promise<Member> {
  const member = await enterAsMember(instance());
  for (let i = 0; i < 2 * PAGE + 1; i += 1)
    await postMemory(member, { title: `Day ${i}`, encryptedContent: 'Rain.' });
  await aDevice(instance(), member).bookSync.acceptAsShown();
  const { below, saysMore } = { ...HONEST, ...lie };
  member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    const { pathname, searchParams } = new URL(request.url);
    if (request.method !== 'GET' || pathname !== MEMORIES) return answer;
    const rows = (await answer.json()) as Memory[];
    const page = rows.slice(0, PAGE);
    const link = saysMore(rows.length > PAGE) ? { link: '<>; rel="next"' } : undefined;
    return Response.json(searchParams.has('before') ? below(page) : page, { headers: { ...link } });
  });
  await member.browser.open('/memory-vault');
  return member;
}

test('each of three pages is fetched once for the list and its comparison, where all is right', async () => {
  const { browser } = await openInPages({});
  const { network } = browser;
  await waitFor(() => expect(network.asked.some((call) => call.startsWith('GET /api/book'))).toBe(true));
  await network.idle();
  await expect.poll(() => screen.queryAllByText(/^Day \d$/).length).toBeGreaterThan(0);
  expect(network.asked.filter((call) => call === `GET ${MEMORIES}`)).toHaveLength(3);
  expect(screen.queryByText(ONE_MISSING)).toBeNull();
});

test('a row that is left out of a later page is missed', async () => {
  await openInPages({ below: (rows) => (rows.length === PAGE ? rows.slice(1) : rows) });
  expect(await screen.findByText(ONE_MISSING)).toBeTruthy();
});

test('what follows a page that is said to be the last is missed', async () => {
  await openInPages({ saysMore: () => false });
  expect(await screen.findByText(ONE_MISSING.replace('1 entry', '3 entries'))).toBeTruthy();
});

test('what a server has kept and says to have failed is missed where its list leaves it out', async () => {
  const member = await enterAsMember(instance());
  const device = aDevice(instance(), member);
  const { browser } = member;
  await device.bookSync.acceptAsShown();
  await browser.open('/memory-vault/new');
  await fill(browser, await screen.findByLabelText('Title'), 'The mill');
  await fill(browser, await screen.findByRole('textbox', { name: 'Memory' }), 'It stood by the weir.');
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (new URL(request.url).pathname !== MEMORIES) return answer;
    return request.method === 'GET' ? Response.json([]) : refusal('internal');
  });
  await press(browser, 'Seal Memory', await screen.findByRole('dialog'));
  await expectToast('Failed to Seal Memory');
  await browser.open('/memory-vault');
  expect(await screen.findByText(ONE_MISSING)).toBeTruthy();
});
