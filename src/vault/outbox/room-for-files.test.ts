// What is kept free for words, and which files have room beside them.
import { expect, test } from 'vitest';
import { RoomForFiles, roomBeside, roomOfFiles, roomOfWords } from './room-for-files.ts';

const KIB = 1024;
const NONE = { bytes: 0, bytesMax: 1000 * KIB, rows: 0, rowsMax: 10 };

test('what words need as they are sealed is kept free, and nothing is less than nothing', () => {
  const left = roomBeside({ ...NONE, bytes: 100 * KIB, rows: 3 }, [30 * KIB, 0]);
  // Sealed text is base64, which is a third longer.
  expect(900 * KIB - left.bytes).toBe(40 * KIB + 2 * 4096);
  expect(left.rows).toBe(5);
  expect(roomBeside(NONE, [800 * KIB])).toEqual({ bytes: 0, rows: 9 });
  expect(roomOfWords([])).toEqual({ bytes: 0, rows: 0 });
});

test('files fill the room with their padding, and a shorter one may have room where a longer one has none', () => {
  expect(roomOfFiles([1, 70 * KIB]).bytes).toBe(64 * KIB + 128 * KIB + 2 * (16 + 8192));
  const room = new RoomForFiles({ bytes: 220 * KIB, rows: 3 });
  expect(room.has(200 * KIB)).toBe(false);
  expect(room.has(1)).toBe(true);
  room.take(1);
  expect(room.has(100 * KIB)).toBe(true);
  room.take(100 * KIB);
  expect(room.has(1)).toBe(false);
});

test('files do not take the rows of words', () => {
  const room = new RoomForFiles({ bytes: 1000 * KIB, rows: 1 });
  room.take(1);
  expect(room.has(1)).toBe(false);
});

test('where nothing is known the server says what has no room', () => {
  const room = new RoomForFiles(null);
  expect(room.has(2 ** 32)).toBe(true);
  room.refuse(500 * KIB, 'bytes');
  expect([room.has(500 * KIB), room.has(499 * KIB)]).toEqual([false, true]);
  room.refuse(100, 'rows');
  expect(room.has(0)).toBe(false);
});
