import { expect, test } from 'vitest';
import { isThisComputer } from './this-computer.ts';

test.each([
  ['localhost', true],
  ['vault.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['vault.example.org', false],
  ['localhost.example.org', false],
  ['192.168.1.7', false],
])('%s is the computer on which it is opened: %s', (hostname, expected) => {
  expect(isThisComputer(hostname)).toBe(expected);
});
