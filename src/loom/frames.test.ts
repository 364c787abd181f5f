// Rules that every frame line keeps, whatever it is set beside.
import { describe, expect, test } from 'vitest';
import { STORY_FRAMES } from './frames.ts';
import { TONES } from './tones.ts';

const withImage = [
  ...Object.values(STORY_FRAMES).flatMap(({ openings }) => openings),
  ...Object.values(TONES).flatMap(({ turns }) => turns),
];
const withoutImage = [
  ...Object.values(STORY_FRAMES).flatMap(({ plainOpenings, partings }) => [...plainOpenings, ...partings]),
  ...Object.values(TONES).flatMap(({ plainTurns, closings }) => [...plainTurns, ...closings]),
];
const all = [...withImage, ...withoutImage];

describe('frame lines', () => {
  test('each stands once, so that no tone and no kind borrows from another', () => {
    const twice = all.filter((line, at) => all.indexOf(line) !== at);
    expect(twice).toEqual([]);
  });

  test('each names an image where it should, and none where it should not', () => {
    expect(withImage.filter((line) => !/\{image\}/i.test(line))).toEqual([]);
    expect(withoutImage.filter((line) => /\{image\}/i.test(line))).toEqual([]);
    expect(all.filter((line) => /\{(?!name\}|Name\}|image\}|Image\})/.test(line))).toEqual([]);
  });

  test('none knows who somebody is: no sex, no “you” but a name’s, no “I”, no verb that counts the image', () => {
    expect(
      all.filter((line) => /\b(?:he|she|him|her|hers|his|I|me|my|we|us|our|your)\b/i.test(line)),
    ).toEqual([]);
    expect(all.filter((line) => /\byou\b/i.test(line) && !/\{name\}/i.test(line))).toEqual([]);
    expect(
      all.filter((line) => /\{image\} (?:is|are|was|were|has|have|does|do|goes|waits|rests)\b/i.test(line)),
    ).toEqual([]);
  });

  test('each is whole', () => {
    expect(all.filter((line) => !/^(?:\p{Lu}|\{Name\}|\{Image\}).*[.!?:]$/u.test(line))).toEqual([]);
    expect(all.filter((line) => line.length > 90)).toEqual([]);
  });

  test.each(Object.entries(STORY_FRAMES))('%s has enough of them without a name', (_, frame) => {
    for (const lines of [frame.openings, frame.plainOpenings, frame.partings]) {
      expect(lines.filter((line) => !/\{name\}/i.test(line)).length).toBeGreaterThanOrEqual(2);
    }
  });

  test.each(Object.entries(TONES))('%s has enough of them without a name', (_, tone) => {
    expect(tone.turns.length).toBeGreaterThanOrEqual(5);
    expect(tone.plainTurns.length).toBeGreaterThanOrEqual(4);
    expect(tone.closings.filter((line) => !/\{name\}/i.test(line)).length).toBeGreaterThanOrEqual(2);
  });
});
