// What a file in a zip may be called, and when it may have been made. Pure.

const UTC_TIME = /^(?:19[89]\d|20\d\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Whether a zip can express a time: ISO 8601 in UTC, from 1980 on. */
export const isUtcTime = (text: string): boolean => UTC_TIME.test(text);

/** Whether a path stays inside the folder it is unpacked into, on every system. */
export function isPath(path: string): boolean {
  const segments = path.split('/');
  // An object has no room for a file of this name.
  if (path === '__proto__' || /[\p{Cc}\\]/u.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
