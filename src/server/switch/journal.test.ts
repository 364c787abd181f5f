// The journal: written whole or not at all, and known from a copy of itself.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { aDataDir } from '../testing/server-program.ts';
import { fileJournal } from './journal.ts';

const entry = { instance: 'ab', epoch: 2, houseTime: 1_900_000_000_000, releases: 3 };

const places: { remove(): void }[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

function aFolder(): string {
  const place = aDataDir();
  places.push(place);
  mkdirSync(place.dataDir, { mode: 0o700 });
  return place.dataDir;
}

describe('the journal', () => {
  it('is nothing, then what was written last, for its owner alone', () => {
    const folder = aFolder();
    expect(fileJournal(folder).read()).toBeNull();
    fileJournal(folder).write(entry);
    fileJournal(folder).write({ ...entry, houseTime: entry.houseTime + 1 });
    expect(fileJournal(folder).read()).toEqual({
      entry: expect.objectContaining({ ...entry, houseTime: entry.houseTime + 1 }),
      copied: false,
    });
    expect(readdirSync(folder)).toEqual(['switch.journal']);
    expect((statSync(join(folder, 'switch.journal')).mode & 0o777).toString(8)).toBe('600');
  });

  it('holds a few numbers and nothing else', () => {
    const folder = aFolder();
    fileJournal(folder).write(Object.assign({ secret: 'planted' }, entry));
    const kept = JSON.parse(readFileSync(join(folder, 'switch.journal'), 'utf8'));
    expect(Object.keys(kept).sort()).toEqual(['epoch', 'houseTime', 'inode', 'instance', 'releases', 'v']);
  });

  it('is known when it was copied, with its folder or alone, and not when it was moved', () => {
    const folder = aFolder();
    fileJournal(folder).write(entry);
    renameSync(folder, `${folder}-moved`);
    expect(fileJournal(`${folder}-moved`).read()).toMatchObject({ copied: false });
    cpSync(`${folder}-moved`, folder, { recursive: true });
    expect(fileJournal(folder).read()).toMatchObject({ entry, copied: true });
    const path = join(folder, 'switch.journal');
    copyFileSync(path, `${path}.bak`);
    renameSync(`${path}.bak`, path);
    expect(fileJournal(folder).read()).toMatchObject({ copied: true });
    fileJournal(folder).write(entry);
    expect(fileJournal(folder).read()).toMatchObject({ copied: false });
  });

  test.each([
    ['empty', ''],
    ['half of one', '{"v":1,"instance":"ab","ep'],
    ['another version', JSON.stringify({ v: 2, ...entry, inode: '1' })],
    ['without its number', JSON.stringify({ v: 1, ...entry })],
    ['no number', JSON.stringify({ v: 1, ...entry, houseTime: 'soon', inode: '1' })],
    ['no whole number', JSON.stringify({ v: 1, ...entry, releases: 0.5, inode: '1' })],
    ['a list', '[]'],
  ])('that is %s is as good as none', (_, text) => {
    const folder = aFolder();
    writeFileSync(join(folder, 'switch.journal'), text);
    expect(fileJournal(folder).read()).toBeNull();
    fileJournal(folder).write(entry);
    expect(fileJournal(folder).read()).toMatchObject({ entry });
  });

  it('that cannot be written throws and leaves what was there', () => {
    const folder = aFolder();
    fileJournal(folder).write(entry);
    // A folder in the place of the draft: it stops root as well, whom modes do not.
    mkdirSync(join(folder, `switch.journal.${process.pid}`));
    expect(() => fileJournal(folder).write({ ...entry, epoch: 9 })).toThrow();
    expect(fileJournal(folder).read()).toMatchObject({ entry });
    chmodSync(folder, 0o700);
    expect(() => fileJournal(join(folder, 'nowhere')).write(entry)).toThrow();
  });
});
