// The reading of paper below its worker: what counts as a picture, and that nothing that was read is lost.
import { expect, test } from 'vitest';
import { pack, writeCodes } from '../../ark/paper/codes.ts';
import type { GrayImage } from '../../ark/paper/gray.ts';
import { anyDamage, drawing, scan } from '../../ark/paper/testing/scan.ts';
import { utf8 } from '../../crypto/encoding.ts';
import { aBmp } from '../../vault/files/pictures/testing/made-pictures.ts';
import { createPaperSession } from './paper-session.ts';
import { picturesInPdf } from './pictures-in-pdf.ts';

const JPEG = '\xff\xd8\xff';
/** Bytes as they stand. */
const blob = (text: string) => new Blob([Uint8Array.from(text, (sign) => sign.charCodeAt(0))]);
const pdfOf = (...streams: string[]) =>
  blob(
    `%PDF-1.4\n${streams.map((one) => `1 0 obj <</Length 9>> stream\r\n${one}\nendstream endobj\n`).join('')}%%EOF`,
  );
const textOf = async (one: Blob = new Blob()) =>
  Array.from(new Uint8Array(await one.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('');

test('of a PDF, each JPEG is a picture, in its order; what is no PDF has none', async () => {
  const pictures = await picturesInPdf(pdfOf(`${JPEG}one`, 'q 1 0 0 1 cm', `${JPEG}two`));
  expect(pictures).toHaveLength(2);
  expect(await textOf(pictures?.[0])).toBe(`${JPEG}one\n`);
  expect(await textOf(pictures?.[1])).toBe(`${JPEG}two\n`);
  expect(await picturesInPdf(blob(`${JPEG}one`))).toBeNull();
  expect(await picturesInPdf(pdfOf())).toEqual([]);
  expect(await picturesInPdf(blob(`%PDF-1.4 stream\n${JPEG}cut off`))).toEqual([]);
  const titled = blob(`%PDF-1.4\n<</Title (A stream of words)>>\nstream\n${JPEG}one\nendstream`);
  expect(await Promise.all((await picturesInPdf(titled))?.map(textOf) ?? [])).toEqual([`${JPEG}one\n`]);
});

test('photographs add up, in any order and by the page of a PDF, until the words are there', async () => {
  const words = '{"format":"latebra/paper-entries"}';
  const { texts } = await writeCodes(pack(utf8(words)), 1, { blockBytes: 7, perSheet: 3 });
  const draw = drawing(2);
  const sheets = new Map<string, GrayImage>();
  for (let at = 0; at < texts.length; at += 3)
    sheets.set(`${JPEG}${at / 3}`, scan(texts.slice(at, at + 3), { ...anyDamage(draw, 4), blots: [] }, draw));
  const answer = createPaperSession(async (picture) => sheets.get((await textOf(picture)).trim()) ?? null);
  const look = async (file: Blob, page = 0) => {
    await answer({ ask: 'open', file });
    return answer({ ask: 'look', page });
  };
  expect(await look(blob(`${JPEG}1`))).toMatchObject({ codes: 3, states: [{ read: 3 }] });
  expect(await answer({ ask: 'words', place: 0 })).toEqual({ ok: false, problem: 'missing' });
  expect(await look(blob('no picture'))).toMatchObject({ ok: true, codes: null, states: [{ read: 3 }] });
  const scanned = pdfOf(`${JPEG}1`, `${JPEG}0`);
  expect(await answer({ ask: 'open', file: scanned })).toEqual({ ok: true, pages: 2 });
  // Each page by itself, so that who has seen enough, or wants no more, need not wait for the last one.
  expect(await look(scanned, 1)).toMatchObject({ codes: 3, states: [{ missing: 0, read: 6 }] });
  expect(await look(scanned, 2)).toMatchObject({ codes: null });
  expect(await answer({ ask: 'open', file: pdfOf() })).toEqual({ ok: true, pages: 0 });
  expect(await answer({ ask: 'words', place: 0 })).toEqual({ ok: true, words });
});

test('a picture of more pixels than a page needs is not opened: some hundred bytes of it can fill a memory', async () => {
  const opened: Blob[] = [];
  const answer = createPaperSession(async (picture) => {
    opened.push(picture);
    return null;
  });
  const codesOf = async (width: number, height: number) => {
    await answer({ ask: 'open', file: new Blob([aBmp(width, height)]) });
    return answer({ ask: 'look', page: 0 });
  };
  expect(await codesOf(20_000, 10_000)).toMatchObject({ ok: true, codes: 'too-large' });
  expect(opened).toEqual([]);
  expect(await codesOf(10_000, 10_000)).toMatchObject({ ok: true, codes: null });
  expect(opened).toHaveLength(1);
});
