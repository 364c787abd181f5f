// Which addresses of recipients are any.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { addressProblem, normaliseAddress, recipientTypes } from './scroll-recipients.ts';

const KEPT = '0123456789abcdef0123456789abcdef';

describe('an address is kept', () => {
  test.each([
    ['email', '  agnes@example.org ', 'agnes@example.org'],
    ['email', 'Agnes.O’Hara+scroll@Example.co.uk', 'Agnes.O’Hara+scroll@Example.co.uk'],
    ['email', 'agnès@bücher.example', 'agnès@bücher.example'],
    ['email', 'agnes@col·lecció.example', 'agnes@col·lecció.example'],
    ['email', 'agnes@例え。example', 'agnes@例え。example'],
    ['email', 'agnes@xn--bcher-kva.example', 'agnes@xn--bcher-kva.example'],
    ['sms', '+44 7700 900123', '+447700900123'],
    ['sms', '+1 (212) 555-0123', '+12125550123'],
    ['sms', '+1.212.555.0123', '+12125550123'],
    ['sms', '+44 (0)7700 900123', '+447700900123'],
    ['sms', '0044 7700 900123', '+447700900123'],
    // As a telephone's address book hands it over.
    ['sms', '\u202a+44 7700‑900123\u202c', '+447700900123'],
    ['sms', '+44\u00a07700\u00a0900123', '+447700900123'],
    ['whisper', ` ${KEPT.toUpperCase().replace(/(.{4})/g, '$1 ')}\n`, KEPT],
    ['whisper', `\u200b${KEPT}`, KEPT],
  ] as const)('%s: %j as %j', (type, typed, kept) => {
    expect(addressProblem(type, typed)).toBeNull();
    expect(normaliseAddress(type, typed)).toBe(kept);
  });

  test.each([
    ['email', ''],
    ['email', 'agnes'],
    ['email', 'agnes@example'],
    ['email', '@example.org'],
    ['email', 'agnes@@example.org'],
    ['email', 'agnes@example.org, mallory@example.org'],
    ['email', 'agnes@example.org;mallory@example.org'],
    ['email', 'Agnes <agnes@example.org>'],
    ['email', 'agnes@example.org\r\nBcc: mallory@example.org'],
    ['email', 'agnes\u0000@example.org'],
    ['email', 'agnes@exam\u007fple.org'],
    ['email', 'agnes@exam\u200bple.org'],
    ['email', '\ud800agnes@example.org'],
    ['email', `${'a'.repeat(65)}@example.org`],
    ['email', `a@${'b'.repeat(191)}.org`],
    // No mail server takes these: it would be said that mail fails, and not that the address does.
    ['email', 'agnes@example..org'],
    ['email', 'agnes@.example.org'],
    ['email', 'agnes@exam#ple.org'],
    ['email', 'agnes@exam/ple.org'],
    ['email', 'agnes@example.org='],
    ['sms', '07700 900123'],
    ['sms', '+0 7700 900123'],
    ['sms', '+44'],
    ['sms', '+1234567890123456'],
    ['sms', '+44 7700 900123 ext 4'],
    ['sms', '++447700900123'],
    ['sms', '+٤٤٧٧٠٠٩٠٠١٢٣'],
    ['whisper', KEPT.slice(1)],
    ['whisper', `${KEPT}0`],
    ['whisper', KEPT.replace('a', 'g')],
  ] as const)('never: %s %j', (type, typed) => {
    expect(addressProblem(type, typed)).toMatch(/\.$/);
  });

  it('the same when it is kept once more, and none carries what ends a line or a string', {
    tags: 'long',
  }, () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.emailAddress(),
      fc.stringMatching(/^\+[0-9 ().-]{8,20}$/),
      fc.stringMatching(/^[0-9a-fA-F \n]{30,40}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...recipientTypes), typed, (type, text) => {
        const kept = normaliseAddress(type, text);
        expect(normaliseAddress(type, kept)).toBe(kept);
        expect(addressProblem(type, kept)).toBe(addressProblem(type, text));
        if (addressProblem(type, text) === null) expect(kept).not.toMatch(/[\p{Cc}\s,;<>"]/u);
      }),
      { numRuns: 2000 },
    );
  });
});
