// A paper is written, many of its sheets are lost and the others damaged, and the same bytes come back, or it is said what is missing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'fflate';
import { expect, test } from 'vitest';
import { crc32 } from '../../crypto/crc32.ts';
import { utf8 } from '../../crypto/encoding.ts';
import { readCode, writeCode } from './code-text.ts';
import { BLOCK_BYTES, CONTENTS_MAX, PaperReading, pack, TooMuchForPaper, writeCodes } from './codes.ts';
import { paperContents } from './contents.ts';
import { SHEETS_MAX } from './layout.ts';
import { drawing } from './testing/scan.ts';

/** Words that pack badly: as many bytes as asked. */
function words(bytes: number, seed = 1): Uint8Array<ArrayBuffer> {
  const draw = drawing(seed);
  return utf8(
    Array.from({ length: bytes }, () => String.fromCharCode(33 + Math.floor(90 * draw()))).join(''),
  );
}

/** Some of a paper's sheets. */
const onSheets = (texts: readonly string[], perSheet: number, sheets: readonly number[]) =>
  texts.filter((_, n) => sheets.includes(Math.floor(n / perSheet) + 1));

function readAll(texts: readonly string[]): PaperReading {
  const reading = new PaperReading();
  for (const text of texts) reading.add(text);
  return reading;
}

/** Whether a reading gives these very bytes. */
const gives = async (reading: PaperReading, bytes: Uint8Array, place = 0): Promise<boolean> => {
  const found = await reading.bytesOf(place);
  return 'bytes' in found && Buffer.compare(found.bytes, bytes) === 0;
};

const python = fileURLToPath(new URL('./read-paper.py', import.meta.url));
const inPython = (texts: readonly string[]) =>
  spawnSync('python3', [python], { input: texts.join('\n'), maxBuffer: 2 ** 26 });

test('any seven of ten sheets give the same bytes, by our reader and by the program that stands on the last sheet', {
  tags: 'long',
}, async () => {
  const bytes = words(18_000);
  const { texts, sheets, head } = await writeCodes(pack(bytes));
  expect(sheets).toBeGreaterThanOrEqual(10);
  const draw = drawing(3);
  for (let round = 0; round < 20; round++) {
    const lost = new Set<number>();
    while (lost.size < Math.floor(0.3 * sheets)) lost.add(1 + Math.floor(sheets * draw()));
    const kept = Array.from({ length: sheets }, (_, at) => at + 1).filter((sheet) => !lost.has(sheet));
    const read = onSheets(texts, head.perSheet, kept);
    expect(await gives(readAll(read), bytes)).toBe(true);
    if (round < 4) expect(Buffer.compare(inPython(read).stdout, bytes)).toBe(0);
  }
});

test('three in ten sheets may be lost however many there are, also where there are several stripes', {
  tags: 'long',
}, async () => {
  for (const length of [1, 400, 5000, 60_000, 190_000]) {
    const bytes = words(length);
    const { texts, sheets, head } = await writeCodes(pack(bytes));
    for (const first of [1, 2, 5]) {
      const lost = Math.floor(0.3 * sheets);
      const kept = Array.from({ length: sheets }, (_, at) => at + 1).filter(
        (sheet) => sheet < first || sheet >= first + lost,
      );
      expect(await gives(readAll(onSheets(texts, head.perSheet, kept)), bytes)).toBe(true);
    }
    if (length === 190_000) {
      expect(head.stripes).toBeGreaterThan(1);
      const { stdout } = inPython(texts.slice(Math.floor(0.3 * sheets) * head.perSheet));
      expect(Buffer.compare(stdout, bytes)).toBe(0);
    }
  }
});

test('what is missing is said, by both readers, and nothing that was read is lost by reading more', async () => {
  const { texts, head, sheets } = await writeCodes(pack(words(9000)));
  const reading = readAll(onSheets(texts, head.perSheet, [1, 2]));
  const [state] = reading.states();
  expect(state).toMatchObject({
    ...{ read: 12, total: texts.length, enough: head.data, missing: head.data - 12, sheets },
    unseen: Array.from({ length: sheets - 2 }, (_, at) => at + 3),
  });
  expect(await reading.bytesOf(0)).toEqual({ problem: 'missing' });
  const { status, stderr } = inPython(onSheets(texts, head.perSheet, [1, 2]));
  expect(status).toBe(1);
  expect(String(stderr)).toContain(`${head.data - 12} more codes are needed. Sheets without any: [3, 4`);
  for (const text of [...texts.slice(0, 12), 'https://example.org', ...texts.slice(12)]) reading.add(text);
  expect(reading.states()).toMatchObject([{ read: texts.length, missing: 0, unseen: [] }]);
  expect(await gives(reading, words(9000))).toBe(true);
});

test('two papers at once are told apart', async () => {
  const [one, two] = [await writeCodes(pack(words(3000, 1))), await writeCodes(pack(words(3000, 2)))];
  const reading = readAll(one.texts.flatMap((text, n) => [text, two.texts[n] ?? '']));
  expect(await gives(reading, words(3000, 1))).toBe(true);
  expect(await gives(reading, words(3000, 2), 1)).toBe(true);
});

test('of two papers, one that lacks codes does not keep the program from the other', async () => {
  const [one, two] = [await writeCodes(pack(words(3000, 1))), await writeCodes(pack(words(3000, 2)))];
  const { stdout, stderr, status } = inPython([one.texts[0], ...two.texts]);
  expect(Buffer.compare(stdout, words(3000, 2))).toBe(0);
  expect(String(stderr)).toContain(`${one.head.data - 1} more codes are needed.`);
  expect(status).toBe(1);
});

test('more sheets for longer words mean that more of them may be lost', async () => {
  const packed = pack(words(3000));
  const { texts, head } = await writeCodes(packed, 20);
  expect(texts).toHaveLength(120);
  const few = texts.filter((_, n) => n % 120 >= 120 - head.data);
  expect(await gives(readAll(few), words(3000))).toBe(true);
});

test('no flipped bit of a code is read as anything, and codes that contradict each other give nothing', async () => {
  const { texts, head } = await writeCodes(pack(words(1500)));
  const [text] = texts;
  for (let at = 0; at < text.length; at++)
    for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
      const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bit) + text.slice(at + 1);
      if (readCode(changed) !== null) expect(changed).toBeNull();
    }
  // A sum can be made for anything: then the number of the set says it.
  const other = await writeCodes(pack(words(1500, 2)));
  const forged = readCode(other.texts[0]);
  const wrong = writeCode(head, 0, forged?.block ?? new Uint8Array());
  expect(await readAll([wrong, ...texts.slice(1)]).bytesOf(0)).toEqual({ problem: 'damaged' });
  expect(String(inPython([wrong, ...texts.slice(1)]).stderr)).toContain('do not belong together');
  // One that says other numbers of the same set is a paper of its own, of which all else is missing.
  const shorter = writeCode({ ...head, length: 3 }, 0, new Uint8Array(BLOCK_BYTES));
  expect(await gives(readAll([shorter, ...texts]), words(1500), 1)).toBe(true);
});

test('impossible numbers are no code', async () => {
  const head = { set: 'A'.repeat(32), data: 1, total: 6, stripes: 1, perSheet: 6, length: 1 };
  const block = new Uint8Array(BLOCK_BYTES);
  expect(readCode(writeCode(head, 5, block))).not.toBeNull();
  expect(readCode(writeCode(head, 6, block))).toBeNull();
  for (const wrong of [{ data: 0 }, { data: 7 }, { total: 257 }, { stripes: 0 }, { perSheet: 0 }])
    expect(readCode(writeCode({ ...head, ...wrong }, 0, block))).toBeNull();
});

test('what is no base32 is no code, also where its sum is right', async () => {
  const { texts } = await writeCodes(pack(words(300)));
  const parts = texts[0].split(':').slice(0, -1);
  for (const block of ['A', 'AB', 'AAA']) {
    const text = [...parts.slice(0, -1), block].join(':');
    const sum = crc32(utf8(text)).toString(16).toUpperCase().padStart(8, '0');
    expect(readCode(`${text}:${sum}`), block).toBeNull();
  }
});

test('what would unpack to more than paper holds is neither written nor read', { tags: 'long' }, async () => {
  const much = new Uint8Array(CONTENTS_MAX + 1);
  expect(() => pack(much)).toThrow(TooMuchForPaper);
  const { texts } = await writeCodes(new Uint8Array(deflateSync(much, { level: 1 })));
  expect(await readAll(texts).bytesOf(0)).toEqual({ problem: 'damaged' });
  const most = await writeCodes(new Uint8Array(deflateSync(much.subarray(1), { level: 1 })));
  expect(await gives(readAll(most.texts), much.subarray(1))).toBe(true);
});

test('a paper of the first release is read, by both readers, and is written the same', async () => {
  const frozen = JSON.parse(readFileSync(new URL('../vectors/paper.json', import.meta.url), 'utf8'));
  const contents = JSON.stringify(frozen.contents);
  const enough = readCode(frozen.codes[0])?.head.data ?? 0;
  const spare = frozen.codes.slice(-enough);
  expect(await gives(readAll(spare), utf8(contents))).toBe(true);
  expect(inPython(spare).stdout.toString()).toBe(contents);
  expect((await writeCodes(pack(utf8(contents)))).texts).toEqual(frozen.codes);
  const { entries } = frozen.contents;
  expect(new TextDecoder().decode(paperContents(entries))).toBe(contents);
});

test('more than 256 sheets is refused', async () => {
  await expect(writeCodes(new Uint8Array(1536 * BLOCK_BYTES))).rejects.toBeInstanceOf(TooMuchForPaper);
  const packed = pack(words(9));
  await expect(writeCodes(packed, SHEETS_MAX + 1)).rejects.toBeInstanceOf(TooMuchForPaper);
  expect((await writeCodes(packed, SHEETS_MAX)).sheets).toBe(SHEETS_MAX);
});
