import { expect, test } from 'vitest';
import { inMegabytes, inMinutes, isAudio } from './audio-file.ts';

test.each([
  ['audio/mpeg', true],
  ['audio/x-m4a', true],
  ['video/mp4', false],
  ['', false],
  ['text/audio/', false],
])('a file of the type "%s" is audio: %s', (type, verdict) => {
  expect(isAudio({ type })).toBe(verdict);
});

test.each([
  [0, '0.0 MB'],
  [1, '0.1 MB'],
  [1024 * 1024, '1.0 MB'],
  [26_214_400, '25.0 MB'],
])('%d bytes are %s', (bytes, words) => {
  expect(inMegabytes(bytes)).toBe(words);
});

test.each([
  [0, '0:00'],
  [9.9, '0:09'],
  [60, '1:00'],
  [187, '3:07'],
  [3600, '60:00'],
  [-1, '0:00'],
])('%d seconds are %s', (seconds, words) => {
  expect(inMinutes(seconds)).toBe(words);
});
