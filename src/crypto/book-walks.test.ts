// The book of an honest server, through thousands of mixed writes by three browsers. It takes a minute: `npm test` runs it,
// and `npm run check` does not.
import { describe, expect, it } from 'vitest';
import { type Book, draftCheckpoint, draftEntry, readBook } from './book.ts';
import type { Ending } from './book-entry.ts';
import {
  aRow,
  DAY,
  Device,
  isExpired,
  KEY,
  KINDS,
  NOW,
  newLeaf,
  pinned,
  Server,
} from './testing/book-world.ts';
import { dice } from './testing/dice.ts';

describe('an honest server', () => {
  it.each([1, 2, 3, 4])(
    'is called no liar in 2,500 mixed writes by three browsers, one of them often offline (%i)',
    async (seed) => {
      const roll = dice(seed);
      const server = new Server();
      const devices = ['Firefox', 'Chromium', 'a phone'].map((name) => new Device(name));
      let now = NOW;
      let checkpoint = 0;
      const live = (book: Book) => [...book.rows.values()];
      for (let step = 0; step < 2_500; step += 1) {
        // The third one is seldom there.
        const device = devices[roll(10) === 0 ? 2 : roll(2)] as Device;
        now += roll(DAY / 20);
        const choice = roll(20);
        const pick = () => live(device.book)[roll(Math.max(device.book.rows.size, 1))];
        if (choice < 7) {
          const ends: Ending[] = roll(2) === 0 ? [] : [{ by: 'expiry', at: now + roll(3 * DAY) }];
          const row = aRow(KINDS[roll(3)], ends);
          await device.write(server, () => ({ put: [row] }), now);
        } else if (choice < 11) {
          const row = pick();
          const leaf = newLeaf();
          // Where it has gone meanwhile, or was changed elsewhere, its own version says so.
          await device.write(
            server,
            () =>
              row && server.rows.get(row.sealId)?.leaf === row.leaf ? { put: [{ ...row, leaf }] } : null,
            now,
          );
        } else if (choice < 13) {
          // Many at once where there are many: each write is compared with all rows, and hundreds show nothing new.
          const gone = live(device.book)
            .slice(0, Math.max(1, device.book.rows.size - 100))
            .map((row) => row.sealId);
          await device.write(
            server,
            () => (gone.length > 0 && gone.every((id) => server.rows.has(id)) ? { removed: gone } : null),
            now,
          );
        } else if (choice === 13) {
          // What was removed comes back, as its owner asks.
          const [sealId] = device.book.removed;
          const row = sealId && { ...aRow(), sealId };
          await device.write(
            server,
            () => (row && !server.rows.has(row.sealId) ? { put: [row] } : null),
            now,
          );
        } else if (choice === 14) {
          // Endings by rule happen without anybody's entry.
          for (const row of server.rows.values()) if (isExpired(row, now)) server.rows.delete(row.sealId);
        } else if (choice === 15) {
          // An import of many.
          const put = Array.from({ length: roll(5) + 1 }, () => aRow());
          await device.write(server, () => ({ put }), now);
        } else if (choice === 16) {
          // A write of which the answer was lost: it was taken, and this browser does not know.
          const row = aRow();
          const draft = await draftEntry(device.book, { put: [row] }, { device: device.name, at: now }, KEY);
          server.write(draft, { put: [row] });
        } else if (choice === 17) {
          // The page is loaded anew.
          const from = device.book.head.n > checkpoint ? Math.max(checkpoint - 1, 0) : 0;
          const { book, finding } = await readBook(server.entries.slice(from), pinned(device), [KEY]);
          expect(finding).toBeNull();
          device.book = book;
        } else {
          expect(await device.look(server, now)).toEqual([]);
        }
        if (server.entries.length > checkpoint + 100) {
          await device.look(server, now);
          const draft = await draftCheckpoint(device.book, { device: device.name, at: now }, KEY);
          expect(server.write(draft, {})).toBe(true);
          device.book = draft.next;
          checkpoint = server.entries.length;
        }
      }
      for (const device of devices) expect(await device.look(server, now)).toEqual([]);
      const fresh = await readBook(server.entries.slice(checkpoint > 0 ? checkpoint - 1 : 0), null, [KEY]);
      expect(fresh.finding).toBeNull();
      expect(fresh.book.head).toEqual(devices[0]?.book.head);
      expect([...fresh.book.rows].sort()).toEqual([...(devices[0]?.book.rows ?? [])].sort());
    },
  );
});
