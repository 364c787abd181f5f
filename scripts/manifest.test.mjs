// What the manifest of the installed app names is there, and is what it says.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hasScreen } from '../src/shared/screens.ts';

const read = (name) => readFileSync(fileURLToPath(new URL(`../src/web/public${name}`, import.meta.url)));
const manifest = JSON.parse(read('/app.webmanifest').toString());

/** Width and height of a PNG, as its first chunk says. */
const sizeOf = (png) => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;

describe('the manifest', () => {
  const pictures = manifest.icons.filter(({ type }) => type === 'image/png');

  test.each(pictures)('has a picture at $src of the size it says', ({ src, sizes }) => {
    const png = read(src);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(sizeOf(png)).toBe(sizes);
    expect(png.length).toBeLessThan(32_000);
  });

  test('has one that systems may cut to their shape', () => {
    expect(pictures.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  });

  test.each(manifest.shortcuts)('leads to a screen of members by "$name"', ({ url }) => {
    expect(hasScreen(url, 'member')).toBe(true);
  });

  test('takes nothing that would reach the server in an address', () => {
    expect(manifest.start_url).toBe('/');
    expect(manifest).not.toHaveProperty('share_target');
  });
});
