// The journal: written whole or not at all, and known from a copy of itself.
import {
  chownSync,
  copyFileSync,
  cpSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { aDataDir } from '../../../testing/server-program.ts';
import { fileJournal } from './journal.ts';

const entry = { instance: 'ab', epoch: 2, countedTime: 1_900_000_000_000, releases: 3, waits: 4 };

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
    fileJournal(folder).write({ ...entry, countedTime: entry.countedTime + 1 });
    expect(fileJournal(folder).read()).toEqual({
      entry: expect.objectContaining({ ...entry, countedTime: entry.countedTime + 1 }),
      copied: false,
    });
    expect(readdirSync(folder)).toEqual(['switch.journal']);
    expect((statSync(join(folder, 'switch.journal')).mode & 0o777).toString(8)).toBe('600');
  });

  it.runIf(process.getuid?.() === 0)(
    'belongs to whom its folder belongs to, also where root has written it',
    () => {
      const folder = aFolder();
      chownSync(folder, 1234, 5678);
      fileJournal(folder).write(entry);
      expect(statSync(join(folder, 'switch.journal'))).toMatchObject({ uid: 1234, gid: 5678 });
      expect(fileJournal(folder).read()).toMatchObject({ copied: false });
    },
  );

  it('is no copy because another process replaces it while it is read', () => {
    const folder = aFolder();
    fileJournal(folder).write(entry);
    const journal = fileJournal(folder, (file) => {
      fileJournal(folder).write({ ...entry, releases: 4 });
      return typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true });
    });
    expect(journal.read()).toMatchObject({ copied: false });
  });

  it('is written although another process that begins at that moment takes its draft for an old one', () => {
    const folder = aFolder();
    let begins = true;
    const journal = fileJournal(folder, (file) => {
      if (begins) {
        begins = false;
        fileJournal(folder).write({ ...entry, releases: 4 });
      }
      return typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true });
    });
    journal.write(entry);
    expect(fileJournal(folder).read()).toMatchObject({ entry: { releases: entry.releases }, copied: false });
  });

  it('holds a few numbers and nothing else', () => {
    const folder = aFolder();
    fileJournal(folder).write(Object.assign({ secret: 'planted' }, entry));
    const kept = JSON.parse(readFileSync(join(folder, 'switch.journal'), 'utf8'));
    expect(Object.keys(kept).sort()).toEqual([
      'birth',
      'countedTime',
      'epoch',
      'inode',
      'instance',
      'releases',
      'v',
      'waits',
    ]);
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
    ['another version', JSON.stringify({ v: 2, ...entry, inode: '1', birth: null })],
    ['without its number', JSON.stringify({ v: 1, ...entry, birth: null })],
    ['without its birth', JSON.stringify({ v: 1, ...entry, inode: '1' })],
    ['no number', JSON.stringify({ v: 1, ...entry, countedTime: 'soon', inode: '1', birth: null })],
    ['no whole number', JSON.stringify({ v: 1, ...entry, releases: 0.5, inode: '1', birth: null })],
    ['a list', '[]'],
  ])('that is %s is as good as none', (_, text) => {
    const folder = aFolder();
    writeFileSync(join(folder, 'switch.journal'), text);
    expect(fileJournal(folder).read()).toBeNull();
    fileJournal(folder).write(entry);
    expect(fileJournal(folder).read()).toMatchObject({ entry });
  });

  it('that cannot be written throws and leaves what was there, and no draft', () => {
    const folder = aFolder();
    const path = join(folder, 'switch.journal');
    // A folder in its place: it stops root as well, whom modes do not.
    mkdirSync(path);
    expect(() => fileJournal(folder).write(entry)).toThrow();
    expect(readdirSync(folder)).toEqual(['switch.journal']);
    expect(() => fileJournal(join(folder, 'nowhere')).write(entry)).toThrow();
  });

  it('removes the drafts of the dead, and writes beside those of the living', () => {
    const folder = aFolder();
    const draft = join(folder, 'switch.journal.0123456789abcdef');
    const journal = fileJournal(folder);
    for (const name of [draft, join(folder, 'switch.journal.mine')]) writeFileSync(name, '');
    journal.write(entry);
    expect(readdirSync(folder).sort()).toEqual(['switch.journal', 'switch.journal.mine']);
    writeFileSync(draft, '');
    journal.write(entry);
    expect(readdirSync(folder)).toContain('switch.journal.0123456789abcdef');
  });
});

describe('the birth of the journal’s file', () => {
  /** A file system of its own kind: where a name has this number, and files are born so. */
  const kind = (birthOf: (file: string | number) => bigint) => (file: string | number) => ({
    ino: 12n,
    birthtimeNs: birthOf(file),
  });
  const birthIn = (folder: string) =>
    JSON.parse(readFileSync(join(folder, 'switch.journal'), 'utf8')).birth as string | null;

  it('tells a copy that happens to have the same number', () => {
    const folder = aFolder();
    fileJournal(
      folder,
      kind(() => 7n),
    ).write(entry);
    expect(birthIn(folder)).toBe('7');
    const read = (birth: bigint) =>
      fileJournal(
        folder,
        kind(() => birth),
      ).read();
    expect(read(7n)).toMatchObject({ copied: false });
    expect(read(8n)).toMatchObject({ entry, copied: true });
  });

  it.each([
    ['has none', () => 0n],
    ['changes when it is renamed', (file: string | number) => (typeof file === 'number' ? 1n : 2n)],
  ])('is left out where a file %s', (_, birthOf) => {
    const folder = aFolder();
    const journal = fileJournal(folder, kind(birthOf));
    journal.write(entry);
    expect(birthIn(folder)).toBeNull();
    expect(journal.read()).toEqual({ entry: expect.objectContaining(entry), copied: false });
    journal.write({ ...entry, releases: 4 });
    expect(journal.read()).toMatchObject({ entry: { releases: 4 }, copied: false });
    expect(readdirSync(folder)).toEqual(['switch.journal']);
  });
});
