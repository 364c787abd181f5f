import decodeQR from 'qr/decode.js';
import { expect, it } from 'vitest';
import { drawQr, type QrDrawing } from './qr-drawing.ts';

const SCALE = 6;

/** What the drawing looks like, as pixels. */
function paint({ size, path }: QrDrawing) {
  const side = size * SCALE;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, left, top, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let y = Number(top) * SCALE; y < (Number(top) + 1) * SCALE; y++) {
      for (let x = Number(left) * SCALE; x < (Number(left) + Number(length)) * SCALE; x++) {
        data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
      }
    }
  }
  return { width: side, height: side, data };
}

it.each([
  'https://vault.example/share/AAAAAAAAAAAAAAAAAAAAAA#BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA',
  'http://localhost:3000/share/a-b_c#d',
  `https://a-rather-long-name-of-a-host.example/${'path/'.repeat(30)}#end`,
])('a reader of QR codes finds the very same text: %s', (text) => {
  expect(decodeQR(paint(drawQr(text)))).toBe(text);
});

it('is nothing but strokes of whole modules, within its borders', () => {
  const { size, path } = drawQr('https://vault.example');
  expect(path.replace(/M(\d+) (\d+)h(\d+)v1H\1z/g, '')).toBe('');
  for (const [, left, top, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    expect(Number(left)).toBeGreaterThanOrEqual(4);
    expect(Number(left) + Number(length)).toBeLessThanOrEqual(size - 4);
    expect(Number(top)).toBeGreaterThanOrEqual(4);
    expect(Number(top)).toBeLessThan(size - 4);
  }
});
