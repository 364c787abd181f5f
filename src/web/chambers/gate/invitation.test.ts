import { describe, expect, it } from 'vitest';
import { asBody, pastedInvitation, readInvitation } from './invitation.ts';

const SECRET = 'Ab_-9'.padEnd(43, 'x');

describe('an invitation', () => {
  it.each([
    [`#invitation=${SECRET}`, SECRET],
    [`#invitation=${SECRET}.`, SECRET],
    [`#invitation%3D${SECRET}`, SECRET],
    ['#', ''],
    ['', ''],
    ['#somewhere', ''],
  ])('behind %j is %j', (hash, secret) => {
    expect(readInvitation(hash)).toBe(secret);
  });

  it.each([
    `https://vault.example/enter?invited#invitation=${SECRET}`,
    `https://vault.example/enter?invited%23invitation=${SECRET}`,
    `  ${SECRET}\n`,
    `<https://vault.example/enter?invited#invitation=${SECRET}>`,
  ])('is found in %j', (text) => {
    expect(pastedInvitation(text)).toBe(SECRET);
  });

  it('is left out where nothing was pasted', () => {
    expect(asBody('  ')).toEqual({});
    expect(asBody('setup-token')).toEqual({ invitation: 'setup-token' });
  });
});
