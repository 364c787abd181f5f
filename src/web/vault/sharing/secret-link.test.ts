import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newShareSecret, shareSecretToText } from '../../../crypto/claim.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { readSecretLink } from './secret-link.ts';

const name = 'AAAAAAAAAAAAAAAAAAAAAA';
const secret = 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA';
const read = (address: string) => readSecretLink(new URL(address, 'https://vault.example'), '/share/');

describe('a link with a secret', () => {
  it('is whole as it was made, whatever its number and secret', () => {
    fc.assert(
      fc.property(fc.constant(null), () => {
        const [id, text] = [newSealId(), shareSecretToText(newShareSecret())];
        expect(read(`/share/${id}#${text}`)).toEqual({ name: id, secret: text, exposed: false });
        expect(read(`/share/${id}%23${text}`)).toEqual({ name: id, secret: text, exposed: true });
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
    expect(read(`/share/${name}${end}`)).toEqual({ name, secret, exposed: false });
  });

  it.each([
    ['%23', `%23${secret}`],
    ['%2523', `%2523${secret}`],
    ['%23 and a query', `%23${secret}?utm_source=mail`],
    ['%23 and the # as well', `%23${secret}#${secret}`],
  ])('that was exposed by %s is whole, and known as exposed', (_, end) => {
    expect(read(`/share/${name}${end}`)).toEqual({ name, secret, exposed: true });
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
    expect(read(`/share/${name}${end}`)).toMatchObject({ name, secret: null });
  });

  it('half of which was sent is exposed all the same', () => {
    expect(read(`/share/${name}%23${secret.slice(0, 20)}`)).toEqual({ name, secret: null, exposed: true });
  });

  it.each(['/share/', '/share/short', `/share/${name}A`, '/share/%00', '/share/..%2f'])(
    'is none at %s',
    (path) => {
      expect(readSecretLink({ pathname: path, hash: `#${secret}` }, '/share/').name).toBeNull();
    },
  );

  it('of another kind is none', () => {
    expect(read(`/legacy/${name}#${secret}`).name).toBeNull();
  });

  it.each([
    [`/still-here#${secret}`, { name: '', secret, exposed: false }],
    [`/still-here%23${secret}`, { name: '', secret, exposed: true }],
    ['/still-here', { name: '', secret: null, exposed: false }],
    [`/still-here/more#${secret}`, { name: null, secret, exposed: false }],
  ])('may have no name in its path: %s', (address, link) => {
    expect(readSecretLink(new URL(address, 'https://vault.example'), '/still-here', /^$/)).toEqual(link);
  });
});
