// What a mail from here may carry of a list that another instance's author has sealed.
import { expect, it } from 'vitest';
import { readAddresses } from './letter.ts';

const token = 'A'.repeat(43);
const read = (authorName: string | null, addresses: string[]) =>
  readAddresses(
    JSON.stringify({ v: 1, authorName, recipients: addresses.map((address) => ({ address, token })) }),
  );

it.each([
  ['Ada', 'Ada'],
  ['  Ada   of London ', 'Ada of London'],
  [null, null],
  ['', null],
  ['Win at https://evil.example now', null],
  ['Ada\r\nBcc: all@mail.example', null],
  ['Call 0123456789', null],
  ['A'.repeat(61), null],
])('of the name %j mails give %j', (written, given) => {
  expect(read(written, ['ada@mail.example'])?.authorName).toBe(given);
});

it('writes to nothing that is no address of one mailbox, and to each mailbox once', () => {
  const addresses = [
    'ada@mail.example',
    'ADA@mail.example',
    'bob@mail.example, carol@mail.example',
    'dan@mail.example\r\nBcc: all@mail.example',
    'nobody',
    'eve@mail.example',
  ];
  expect(read(null, addresses)?.recipients.map(({ address }) => address)).toEqual([
    'ada@mail.example',
    'eve@mail.example',
  ]);
});

it('reads no other text, and no list of more recipients than a letter may have', () => {
  expect(readAddresses('nothing')).toBeNull();
  expect(readAddresses('{"v":2,"authorName":null,"recipients":[]}')).toBeNull();
  const many = Array.from({ length: 9 }, (_, i) => `somebody${i}@mail.example`);
  expect(read(null, many)).toBeNull();
  expect(read(null, many.slice(0, 8))?.recipients).toHaveLength(8);
});
