// What is known of a file without reading it, and how that is asked. Pure.

/** What is known of a file without reading it. */
export interface Evidence {
  name: string;
  /** Its first bytes. */
  start: Uint8Array;
  /** The files in it, where it is a zip or a folder that could be listed. */
  paths: readonly string[];
}

/** Whether a file is of some kind. */
export type Test = (evidence: Evidence) => boolean;

export const named =
  (pattern: RegExp) =>
  ({ name }: Evidence) =>
    pattern.test(name);

/** Bytes at a place, as a string of Latin-1; a question mark stands for any. */
export const bytes =
  (pattern: string, at = 0) =>
  ({ start }: Evidence) =>
    [...pattern].every((character, i) => character === '?' || start[at + i] === character.charCodeAt(0));

export const hasFile =
  (pattern: RegExp) =>
  ({ paths }: Evidence) =>
    paths.some((path) => pattern.test(path));

export const words =
  (pattern: RegExp) =>
  ({ start }: Evidence) =>
    pattern.test(String.fromCharCode(...start.subarray(0, 2048)));

export const any =
  (...tests: Test[]) =>
  (evidence: Evidence) =>
    tests.some((is) => is(evidence));

export const all =
  (...tests: Test[]) =>
  (evidence: Evidence) =>
    tests.every((is) => is(evidence));

/** Whether it is no text: what has so few letters in front could be one. */
export const binary = ({ start }: Evidence) => start.includes(0);

export function not(is: Test): Test {
  return (evidence) => !is(evidence);
}
