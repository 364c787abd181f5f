import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newShareSecret, shareSecretToText } from '../../../crypto/claim.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { readLink } from './link.ts';

const keyId = 'AAAAAAAAAAAAAAAAAAAAAA';
const secret = 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA';
const read = (address: string) => readLink(new URL(address, 'https://vault.example'));

describe('a one-time link', () => {
  it('is whole as it was made, whatever its number and secret', () => {
    fc.assert(
      fc.property(fc.constant(null), () => {
        const [id, text] = [newSealId(), shareSecretToText(newShareSecret())];
        expect(read(`/share/${id}#${text}`)).toEqual({ keyId: id, secret: text, exposed: false });
        expect(read(`/share/${id}%23${text}`)).toEqual({ keyId: id, secret: text, exposed: true });
      }),
    );
  });

  it.each([
    ['a full stop', `#${secret}.`],
    ['a bracket', `#${secret})`],
    ['an angle bracket', `#${secret}>`],
    ['a tracking word', `#${secret}?utm_source=mail`],
    ['another tracking word', `#${secret}&fbclid=abc`],
    ['white space', `#${secret}%20`],
    ['a query before it', `?utm_source=mail#${secret}`],
    ['a stray per cent sign', `#${secret}%`],
  ])('is whole with %s glued on', (_, end) => {
    expect(read(`/share/${keyId}${end}`)).toEqual({ keyId, secret, exposed: false });
  });

  it.each([
    ['%23', `%23${secret}`],
    ['%2523', `%2523${secret}`],
    ['%23 and a query', `%23${secret}?utm_source=mail`],
    ['%23 and the # as well', `%23${secret}#${secret}`],
  ])('that was exposed by %s is whole, and known as exposed', (_, end) => {
    expect(read(`/share/${keyId}${end}`)).toEqual({ keyId, secret, exposed: true });
  });

  it.each([
    ['without an end', ''],
    ['with an empty end', '#'],
    ['with an empty end that was bent', '%23'],
    ['with its last character missing', `#${secret.slice(0, -1)}`],
    ['with a character too many', `#${secret}A`],
    ['with its last character changed', `#${secret.slice(0, -1)}B`],
    ['with a character from elsewhere', `#${secret.replace('B', '*')}`],
  ])('%s is not whole', (_, end) => {
    expect(read(`/share/${keyId}${end}`)).toMatchObject({ keyId, secret: null });
  });

  it('half of which was sent is exposed all the same', () => {
    expect(read(`/share/${keyId}%23${secret.slice(0, 20)}`)).toEqual({ keyId, secret: null, exposed: true });
  });

  it.each(['/share/', '/share/short', `/share/${keyId}A`, '/share/%00', '/share/..%2f'])(
    'is none at %s',
    (path) => {
      expect(readLink({ pathname: path, hash: `#${secret}` }).keyId).toBeNull();
    },
  );
});
