// Slots for drafts, with the locks of a browser in which several tabs stand open: each tab has a copy of the module of its own.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadAnew } from '../../testing/another-page.ts';

/** What the browser keeps for all tabs: its locks, each with what frees it. */
let locks: Map<string, () => void>;
beforeEach(() => {
  locks = new Map();
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

const UID = 'agnes';
const slotOf = (name: string) => `latebra.draft:${UID}:${name}`;
const words = (name: string, text: string) => localStorage.setItem(slotOf(name), text);

/** A tab: what it has claimed, and how it ends without a word. */
async function openTab() {
  const own = new Set<string>();
  const request = async (name: string, _: LockOptions, work: (lock: unknown) => unknown) => {
    if (locks.has(name)) return work(null);
    const killed = new Promise<void>((resolve) => {
      locks.set(name, () => {
        locks.delete(name);
        own.delete(name);
        resolve();
      });
    });
    own.add(name);
    await Promise.race([work({ name }), killed]);
    if (own.has(name)) locks.get(name)?.();
  };
  const query = async () => ({ held: [...locks.keys()].map((name) => ({ name })) });
  await loadAnew();
  const module = await import('./draft-slots.ts');
  const inThisTab = <T,>(work: () => T): T => {
    vi.stubGlobal('navigator', { locks: { request, query } });
    return work();
  };
  let begun = false;
  return {
    begin: (isBegun: boolean) => {
      begun = isBegun;
    },
    claim: (form = 'memory') =>
      inThisTab(() =>
        module.claimSlot<string>(UID, form, {
          load: async (slot) => localStorage.getItem(slotOf(slot)),
          wantsEmpty: () => begun,
          interrupted: new Promise(() => {}),
          isOver: () => false,
        }),
      ),
    ask: (slot: string) => module.askForDraft(UID, slot),
    inUse: () => inThisTab(() => module.slotsInUse(UID)),
    dropFree: (slot: string) => inThisTab(() => module.dropFreeDraft(UID, slot)),
    kill() {
      for (const name of [...own]) locks.get(name)?.();
    },
  };
}

const done = Promise.resolve();

test('two tabs with the same form have a slot each, and a third one after them', async () => {
  const [first, second, third] = [await openTab(), await openTab(), await openTab()];
  expect((await first.claim())?.name).toBe('memory');
  expect((await second.claim())?.name).toBe('memory~2');
  expect((await third.claim())?.name).toBe('memory~3');
  expect(await second.inUse()).toEqual({
    here: new Set(['memory~2']),
    elsewhere: new Set(['memory', 'memory~3']),
  });
  expect((await second.claim('ghost'))?.name).toBe('ghost');
});

test('a form takes the first words that nobody holds before an empty slot', async () => {
  words('memory~2', 'left behind');
  words('memory~10', 'later');
  const [first, second, third] = [await openTab(), await openTab(), await openTab()];
  expect(await first.claim()).toMatchObject({ name: 'memory~2', draft: 'left behind' });
  expect(await second.claim()).toMatchObject({ name: 'memory~10', draft: 'later' });
  expect(await third.claim()).toMatchObject({ name: 'memory', draft: null });
});

test('a tab that is killed frees its slot, and the next form brings its words back', async () => {
  const killed = await openTab();
  await killed.claim();
  words('memory', 'half a thought');
  const next = await openTab();
  sessionStorage.clear();
  expect((await next.claim())?.name).toBe('memory~2');
  killed.kill();
  expect(await (await openTab()).claim()).toMatchObject({ name: 'memory', draft: 'half a thought' });
});

test('after a reload a tab has its own words again, and not the first that are free', async () => {
  words('memory', 'of another tab');
  words('memory~2', 'its own');
  sessionStorage.setItem(`latebra.form-slot:${UID}:memory`, 'memory~2');
  expect(await (await openTab()).claim()).toMatchObject({ name: 'memory~2', draft: 'its own' });
});

test('a draft that was asked for goes before all others, once', async () => {
  words('memory', 'first');
  words('memory~3', 'third');
  const tab = await openTab();
  tab.ask('memory~3');
  expect((await tab.claim())?.name).toBe('memory~3');
  expect((await tab.claim())?.name).toBe('memory');
});

test('whoever writes before a draft is there gets a slot of their own, and the draft stays', async () => {
  words('memory', 'waits');
  const tab = await openTab();
  tab.begin(true);
  expect(await tab.claim()).toMatchObject({ name: 'memory~2', draft: null });
  expect(localStorage.getItem(slotOf('memory'))).toBe('waits');
});

test('a form that is opened again at once has the slot that was given back, with the last words', async () => {
  const tab = await openTab();
  const slot = await tab.claim();
  let keep = () => {};
  const last = new Promise<void>((resolve) => {
    keep = resolve;
  });
  slot?.release(last);
  words('memory', 'before');
  const again = tab.claim();
  words('memory', 'the last word');
  keep();
  expect(await again).toMatchObject({ name: 'memory', draft: 'the last word' });
});

test('a draft that a form holds is not dropped from elsewhere, and one that nobody holds is', async () => {
  words('memory', 'mine');
  const [one, other] = [await openTab(), await openTab()];
  const slot = await one.claim();
  expect(await other.dropFree('memory')).toBe(false);
  slot?.release(done);
  await vi.waitFor(async () => expect((await one.inUse()).here.size).toBe(0));
  expect(await other.dropFree('memory')).toBe(true);
  expect(localStorage.getItem(slotOf('memory'))).toBeNull();
});
