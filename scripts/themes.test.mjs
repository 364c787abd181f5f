// Contrast of both themes: every colour of text on every ground, and the edges of controls (WCAG 2.2, 1.4.3 and 1.4.11).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (name) => readFileSync(new URL(`../src/web/styles/${name}`, import.meta.url), 'utf8');
const [themes, tokens] = [read('themes.css'), read('tokens.css')];

const coloursOf = (css) =>
  new Map(
    [...css.matchAll(/--color-([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(([, name, l, c, h]) => [
      name,
      [Number(l), Number(c), Number(h)],
    ]),
  );

/** Relative luminance of a colour in OKLCH: Ottosson's matrices to linear sRGB, and the weights of WCAG. */
function luminance([lightness, chroma, hue]) {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
  const [red, green, blue] = linear;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const dark = coloursOf(tokens);
const light = new Map([...dark, ...coloursOf(themes)]);
const TEXT = ['bone', 'dust', 'shade', 'ember', 'blood', 'verdigris', 'moon'];
const GRAPHIC = ['edge', 'weight-blue', 'weight-green', 'weight-yellow', 'weight-red'];
const GROUNDS = ['ink-0', 'ink-1', 'ink-2'];

test('contrast is that of the standard', () => {
  expect(contrast([1, 0, 0], [0, 0, 0])).toBeCloseTo(21, 1);
  // #767676 on white is the lightest grey of AA.
  expect(contrast([0.5659, 0, 0], [1, 0, 0])).toBeCloseTo(4.54, 1);
});

test('the light theme has every colour of the dark one', () => {
  expect([...coloursOf(themes).keys()].sort()).toEqual([...dark.keys()].sort());
});

describe.each([
  ['dark', dark],
  ['light', light],
])('%s', (_, colours) => {
  const of = (name) => colours.get(name);

  test.each(TEXT)('%s can be read on every ground', (name) => {
    for (const ground of GROUNDS)
      expect(contrast(of(name), of(ground)), `on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  test.each(GRAPHIC)('%s can be seen on every ground', (name) => {
    for (const ground of GROUNDS)
      expect(contrast(of(name), of(ground)), `on ${ground}`).toBeGreaterThanOrEqual(3);
  });
});
