// What counts as one mailbox, and which limits a message has.
import { expect, it } from 'vitest';
import { createDigests } from '../../digests.ts';
import type { Message } from './delivery-store.ts';
import { limitsOf, mailboxOf } from './send-limits.ts';

const digests = createDigests(Buffer.alloc(32));
const aMessage = (fields: Partial<Message>) =>
  ({
    kind: 'release',
    channel: 'email',
    address: 'a@b.example',
    account_id: 1,
    author_hash: null,
    ...fields,
  }) as Message;
const scopesOf = (fields: Partial<Message>) =>
  limitsOf(digests, aMessage(fields)).map(({ key }) => key.slice(0, key.indexOf(':')));

it.each([
  'Ada.Lovelace@Mail.Example',
  'ada.lovelace+one@mail.example',
  'a.d.a.lovelace@mail.example',
  'ADALOVELACE+a+b@MAIL.EXAMPLE',
])('%s is the mailbox of adalovelace@mail.example', (address) => {
  expect(mailboxOf('email', address)).toBe('adalovelace@mail.example');
});

it('knows a domain in either alphabet, and tells mailboxes apart', () => {
  expect(mailboxOf('email', 'ada@bücher.example')).toBe(mailboxOf('email', 'ada@xn--bcher-kva.example'));
  expect(mailboxOf('email', 'ada@mail.example')).not.toBe(mailboxOf('email', 'eve@mail.example'));
  expect(mailboxOf('email', '+@mail.example')).toBe('+@mail.example');
  expect(mailboxOf('sms', '+447700900123')).toBe('+447700900123');
});

it('counts every kind against its address, its author and the server', () => {
  expect(scopesOf({ kind: 'release' })).toEqual(['account', 'address', 'server']);
  expect(scopesOf({ kind: 'prove-address' })).toEqual(['account', 'proofs', 'address', 'server']);
  expect(scopesOf({ kind: 'warning' })).toEqual(['account', 'warned', 'server']);
  const scopes = ['account', 'home', 'sisters', 'address', 'server'];
  expect(scopesOf({ kind: 'sister-letter', sister_home: 'https://home.example' })).toEqual(scopes);
});

it('names neither an address nor an account', () => {
  const keys = JSON.stringify(limitsOf(digests, aMessage({ address: 'ada@mail.example', account_id: 4711 })));
  expect(keys).not.toMatch(/ada|mail\.example|4711/);
});

it('knows an author after the account is gone', () => {
  const [before] = limitsOf(digests, aMessage({ account_id: 7 }));
  const author_hash = before?.key.slice('account:'.length) ?? '';
  expect(limitsOf(digests, aMessage({ account_id: null, author_hash }))[0]).toEqual(before);
});
