// What a page shows by itself, by the type that a file says it has: nobody vouches for that.
import { expect, test } from 'vitest';
import { tidyType } from '../../../vault/files/file-name.ts';
import { SHOWN_BYTES_MAX, shownAs } from './shown-inline.ts';

const shown = (type: string, bytes = 1000) => shownAs({ type: tidyType(type), bytes });

test.each([
  'image/svg+xml',
  'IMAGE/SVG+XML',
  'image/svg+xml; charset=utf-8',
  'text/html',
  'application/xhtml+xml',
  'application/pdf',
  'text/xml',
  'application/javascript',
  'multipart/x-mixed-replace',
  'image/png, text/html',
  'video/mp4\r\ncontent-type: text/html',
  'image/',
  'audio/../../text/html',
  '',
])('%j, which may hold a script or another page, is for downloading alone', (type) => {
  expect(shown(type)).toBeNull();
});

test.each([
  ['image/jpeg', 'image'],
  ['Image/PNG', 'image'],
  ['audio/webm;codecs=opus', 'audio'],
  ['video/mp4', 'video'],
])('%j is shown as %s', (type, as) => {
  expect(shown(type)).toBe(as);
});

test('a picture beyond what is opened at once is downloaded, and a recording is played by range', () => {
  expect(shown('image/jpeg', SHOWN_BYTES_MAX + 1)).toBeNull();
  expect(shown('image/jpeg', SHOWN_BYTES_MAX)).toBe('image');
  expect(shown('video/mp4', SHOWN_BYTES_MAX + 1)).toBe('video');
  expect(shown('video/mp4', 0)).toBeNull();
});
