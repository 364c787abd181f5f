import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { gate, NAME_MAX } from './account.ts';

const takes = (name: string) => z.safeParse(gate.passphraseSalt.body, { name }).success;

describe('a name', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is measured as it is kept, so marks that compose and signs that nobody sees do not count', () => {
    expect(takes('a\u0301'.repeat(NAME_MAX))).toBe(true);
    expect(takes(`${'\u200b'.repeat(190)}Ada`)).toBe(true);
    expect(takes('a'.repeat(NAME_MAX + 1))).toBe(false);
    expect(takes('\u200b')).toBe(false);
  });

  it('is not normalised at all when it is far too long: one character can become eighteen', () => {
    const normalise = vi.spyOn(String.prototype, 'normalize');
    expect(takes('\ufdfa'.repeat(20_000))).toBe(false);
    expect(normalise).not.toHaveBeenCalled();
  });
});
