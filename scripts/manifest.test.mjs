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

  test('shows a wide and a narrow screen, of the sizes it says: the guide’s own on a phone', () => {
    const [wide, narrow] = manifest.screenshots;
    expect([wide.form_factor, narrow.form_factor]).toEqual(['wide', 'narrow']);
    expect(sizeOf(read(wide.src))).toBe(wide.sizes);
    const picture = read(narrow.src);
    expect(`${1 + picture.readUIntLE(24, 3)}x${1 + picture.readUIntLE(27, 3)}`).toBe(narrow.sizes);
    // Whoever takes that one anew copies it.
    expect(picture.equals(read('/../chambers/help/pictures/phone.webp'))).toBe(true);
  });

  test.each(manifest.shortcuts)('leads to a screen of members by "$name"', ({ url }) => {
    expect(hasScreen(url, 'member')).toBe(true);
  });

  test('takes nothing that would reach the server in an address', () => {
    expect(manifest.start_url).toBe('/');
    expect(manifest).not.toHaveProperty('share_target');
  });
});

describe('a document of the app', () => {
  const app = readFileSync(fileURLToPath(new URL('../src/web/index.html', import.meta.url)), 'utf8');
  const meta = (name) => new RegExp(`<meta name="${name}" content="([^"]*)">`).exec(app)?.[1];

  test('names the manifest, and has the ground of the first look around it until another one is chosen', () => {
    expect(app).toContain('<link rel="manifest" href="/app.webmanifest">');
    const look = readFileSync(fileURLToPath(new URL('../src/web/ui/look.ts', import.meta.url)), 'utf8');
    const [, ground] = /GROUNDS = \{ dark: '(#\w{6})'/.exec(look) ?? [];
    expect([meta('theme-color'), manifest.theme_color, manifest.background_color]).toEqual(
      Array(3).fill(ground),
    );
  });

  test('tells an iPhone its name and its picture, and that it is an app', () => {
    expect(manifest.display).toBe('standalone');
    expect(meta('mobile-web-app-capable')).toBe('yes');
    expect(meta('apple-mobile-web-app-title')).toBe(manifest.short_name);
    expect(app).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png">');
    expect(sizeOf(read('/apple-touch-icon.png'))).toBe('180x180');
    // What it draws over at its edges, the stylesheet leaves free.
    expect(meta('viewport')).toContain('viewport-fit=cover');
  });
});
