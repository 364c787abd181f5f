import { expect, test } from 'vitest';
import { hasScreen, PEOPLE, type ScreenPath, screens } from '../../../shared/screens.ts';
import { chamberPlaces, headPlaces, isWithin, newEntryAt } from '../chamber-places.ts';
import { commandsFor, findCommands } from './commands-found.ts';

const all = commandsFor({ isAdmin: true, isSelling: true });
const lines = all.flatMap(({ commands }) => commands);
const targets = lines.flatMap(({ action }) =>
  typeof action === 'object' && 'to' in action ? [action.to] : [],
);
const labels = (query: string) =>
  findCommands(query, all).flatMap(({ commands }) => commands.map(({ label }) => label));

/** Found by playing, and not by looking. */
const HIDDEN: ScreenPath[] = ['/shadow', '/test-verification'];

test('every screen of a member is offered but those of the game, and every offer is a screen', () => {
  const shown = (Object.keys(screens) as ScreenPath[]).filter(
    (path) =>
      hasScreen(path, 'member', true) && !path.includes('{') && !HIDDEN.includes(path) && path !== PEOPLE,
  );
  const beforeTheVault: ScreenPath[] = ['/enter', '/still-here', '/sheets'];
  expect(new Set(targets)).toEqual(
    new Set(
      shown
        .filter((path) => !beforeTheVault.includes(path))
        .concat(
          // The addresses of new entries, of which the table has a pattern.
          ['/memory-vault/new', '/relationship-ledger/new', '/myth-builder/new'] as string[] as ScreenPath[],
        ),
    ),
  );
  for (const path of targets) expect(hasScreen(path, 'member', true), path).toBe(true);
});

test('the outbox is offered to administrators alone, and the checkout where a plan is sold', () => {
  const offers = (isAdmin: boolean, isSelling: boolean, path: string) =>
    JSON.stringify(commandsFor({ isAdmin, isSelling })).includes(path);
  expect([offers(true, false, '/outbox'), offers(false, true, '/outbox')]).toEqual([true, false]);
  const administers = [offers(true, false, '/administration'), offers(false, true, '/administration')];
  expect(administers).toEqual([true, false]);
  expect([offers(true, false, '/checkout'), offers(false, true, '/checkout')]).toEqual([false, true]);
});

test('commands are found by the beginnings of their words, in any order', () => {
  expect(labels('new mem')).toEqual(['New memory']);
  expect(labels('mem new')).toEqual(['New memory']);
  expect(labels('go settings')).toEqual(['Sacred Settings']);
  // What is done is offered before what is read about it.
  expect(labels('sign out')).toEqual(['Leave', 'Account']);
  expect(labels('lock')).toEqual(['Lock', 'Devices', 'Locking until a day']);
  expect(labels('emory')).toEqual([]);
});

test.each([
  ['photo', 'Writing'],
  ['print', 'Memory Vault'],
  ['backup', 'Your data'],
  ['password', 'Key and recovery'],
  ['words', 'Coming back to your vault'],
  ['export', 'Your data'],
  ['import', 'Imports'],
  ['day one', 'Imports'],
  ['theme', 'Appearance'],
  ['letter', 'Legacy Scroll'],
  ['admin', 'Administration'],
])('%j is known, and leads to %s', (word, label) => {
  expect(labels(word)).toContain(label);
  // Whoever is no administrator finds what an administrator does.
  const own = findCommands(word, commandsFor({ isAdmin: false, isSelling: false }));
  expect(own.length).toBeGreaterThan(0);
});

test('no two chambers share a path, and every place of the head is a screen', () => {
  for (const { to, chamber } of headPlaces)
    expect([hasScreen(to, 'member'), isWithin(to, chamber)], to).toEqual([true, true]);
  expect(new Set(chamberPlaces.map(({ to }) => to)).size).toBe(chamberPlaces.length);
});

test('a chamber is known by its own path and by the addresses beneath it', () => {
  expect(isWithin('/ghost-mode/new', '/ghost-mode')).toBe(true);
  expect(isWithin('/ghost-modes', '/ghost-mode')).toBe(false);
  expect(newEntryAt('/memory-vault/abc')).toBe('/memory-vault/new');
  expect(newEntryAt('/settings')).toBeNull();
  expect(newEntryAt('/')).toBeNull();
});
