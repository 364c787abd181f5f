import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteConnection } from './sqlite-driver.ts';
import { nameOfResult } from './sqlite-result-codes.ts';

let folder: string;
let open: SqliteConnection[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latebra-driver-'));
  open = [];
});
afterEach(() => {
  for (const connection of open) connection.close();
  rmSync(folder, { recursive: true, force: true });
});

function connect(file = join(folder, 'a.db'), options = {}): SqliteConnection {
  const connection = new SqliteConnection(file, options);
  open.push(connection);
  return connection;
}

const withCode = (code: string) => expect.objectContaining({ code });

describe('an error has SQLite’s own name', () => {
  it.each([
    ['SQLITE_CONSTRAINT_UNIQUE', "insert into things (name) values ('one')"],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', 'insert into things (id) values (1)'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', "insert into things (name, owner) values ('two', 7)"],
    ['SQLITE_CONSTRAINT_NOTNULL', 'insert into things (name) values (null)'],
    ['SQLITE_ERROR', 'select nothing from nowhere'],
  ])('%s', (code, sql) => {
    const database = connect();
    database.exec(
      "create table things (id integer primary key, name text not null unique default 'none', owner references things)",
    );
    database.exec("pragma foreign_keys = on; insert into things (name) values ('one')");
    expect(() => database.rows(sql)).toThrow(withCode(code));
    expect(() => database.exec(sql)).toThrow(withCode(code));
  });

  it('what a trigger raises is the message', () => {
    const database = connect();
    database.exec(`create table things (id integer primary key);
      create trigger refusal before insert on things begin select raise(abort, 'no more'); end`);
    expect(() => database.prepare('insert into things default values').run()).toThrow(
      expect.objectContaining({ code: 'SQLITE_CONSTRAINT_TRIGGER', message: 'no more' }),
    );
  });

  it('where another connection has the file, at once or when patience ends', () => {
    const holder = connect();
    holder.exec('begin exclusive');
    expect(() => connect(undefined, { timeout: 0 }).exec('begin immediate')).toThrow(withCode('SQLITE_BUSY'));
    expect(() => connect(undefined, { timeout: 20 }).exec('begin immediate')).toThrow(
      withCode('SQLITE_BUSY'),
    );
  });

  it('where a file is full, read-only, not there, or no database', () => {
    const database = connect();
    database.exec('create table things (content); pragma max_page_count = 3');
    expect(() => database.rows('insert into things values (randomblob(100000))')).toThrow(
      withCode('SQLITE_FULL'),
    );
    expect(() => connect(undefined, { readonly: true }).rows('delete from things')).toThrow(
      withCode('SQLITE_READONLY'),
    );
    expect(() => connect(join(folder, 'nothing.db'), { readonly: true })).toThrow(
      withCode('SQLITE_CANTOPEN'),
    );
    writeFileSync(join(folder, 'text.db'), 'This is no database. '.repeat(100));
    expect(() => connect(join(folder, 'text.db')).rows('select * from sqlite_master')).toThrow(
      withCode('SQLITE_NOTADB'),
    );
  });

  it('for each code that the driver’s SQLite has', () => {
    const main = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const header = readFileSync(join(dirname(main), '../src/upstream/sqlite3.h'), 'utf8');
    const numbers = new Map<string, number>();
    const begin = header.indexOf('#define SQLITE_OK ');
    const end = header.indexOf('#define SQLITE_OPEN_READONLY');
    for (const [, name = '', plain, primary = '', place] of header
      .slice(begin, end)
      .matchAll(/^#define (SQLITE_\w+)\s+(?:(\d+)|\((SQLITE_\w+)\s*\|\s*\((\d+)<<8\)\))/gm)) {
      numbers.set(name, plain ? Number(plain) : (numbers.get(primary) ?? 0) | (Number(place) << 8));
    }
    // Those are no errors.
    const told = [...numbers].filter(([name]) => !/^SQLITE_(?:OK_|ROW|DONE|NOTICE_|WARNING_)/.test(name));
    expect(told.length).toBeGreaterThan(90);
    for (const [name, number] of told) expect(nameOfResult(number)).toBe(name);
  });

  it('that of the primary code where it has learnt another one since', () => {
    expect(nameOfResult(5 | (99 << 8))).toBe('SQLITE_BUSY');
  });
});

describe('a statement', () => {
  it.each([
    ['select 1', true],
    ['with some as (select 1 as n) select n, name from some, things', true],
    ['with some as (select 1 as n) insert into things (name) select n from some', false],
    ['with some as (select 1 as n) update things set name = n from some returning name', false],
    ['delete from things', false],
  ])('is known for reading alone, and not run: %s', (sql, reads) => {
    connect().exec("create table things (name); insert into things values ('kept')");
    const reader = connect(undefined, { readonly: true });
    expect(reader.onlyReads(sql)).toBe(reads);
    expect(reader.rows('select * from things')).toEqual([{ name: 'kept' }]);
  });

  it('answers rows or not', () => {
    const database = connect();
    database.exec('create table things (name)');
    expect(database.prepare('select * from things').reader).toBe(true);
    expect(database.prepare('insert into things values (1) returning name').reader).toBe(true);
    expect(database.prepare('insert into things values (1)').reader).toBe(false);
    expect(database.prepare('insert into things values (1)').run()).toMatchObject({ changes: 1 });
  });

  it('goes on reading while another one writes, and is used again afterwards', () => {
    const database = connect();
    database.exec('create table things (name); insert into things values (1), (2), (3)');
    const reading = database.prepare('select name from things where name <= ?');
    const writing = database.prepare('insert into things values (?)');
    const seen = [];
    for (const row of reading.iterate([3])) {
      writing.run([9]);
      seen.push(row);
    }
    expect(seen).toEqual([{ name: 1 }, { name: 2 }, { name: 3 }]);
    expect(reading.all([9])).toHaveLength(6);
  });

  it('gives back whole numbers, nothing, bytes and texts as they were', () => {
    const database = connect();
    const values = [Number.MAX_SAFE_INTEGER, -1, null, new Uint8Array([0, 255]), '\u{1F56F}'];
    expect(database.rows('select ? as a, ? as b, ? as c, ? as d, ? as e', values)).toEqual([
      { a: values[0], b: values[1], c: values[2], d: values[3], e: values[4] },
    ]);
  });

  it('refuses a text with a NUL, of which the driver would keep the beginning', () => {
    const statement = connect().prepare('select ? as text');
    expect(() => statement.all(['before\0after'])).toThrow(TypeError);
    expect(() => statement.run(['before\0after'])).toThrow(TypeError);
    expect(() => statement.iterate(['before\0after'])).toThrow(TypeError);
  });

  it('refuses to answer a number that JavaScript would round', () => {
    expect(() => connect().rows('select 9007199254740993 as n')).toThrow(withCode('ERR_OUT_OF_RANGE'));
  });
});

it('keeps an image of a database, and puts it back', () => {
  const database = connect(':memory:');
  database.exec("create table things (name); insert into things values ('kept')");
  const image = database.image();
  database.exec('delete from things');
  const other = connect(':memory:');
  other.load(image);
  expect(other.rows('select name from things')).toEqual([{ name: 'kept' }]);
  expect(database.rows('select name from things')).toEqual([]);
});
