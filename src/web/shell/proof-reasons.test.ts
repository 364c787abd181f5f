import { expect, test } from 'vitest';
import { contractRows } from '../../shared/http/contract.ts';
import { proofReason } from './proof-reasons.ts';

const fresh = contractRows().filter(({ row }) => row.fresh);

test('a proof is asked for with one reason: that of the call', () => {
  const of = (name: string) => {
    const found = fresh.find((one) => one.name === name);
    return found && proofReason(found.row);
  };
  expect(of('legacyScrolls.activate')).toBe('You are about to activate the watch of a letter.');
  expect(of('legacyScrolls.release')).toBe('You are about to send a letter.');
  expect(of('vault.destroy')).toBe('You are about to destroy your vault.');
});

test('each reason belongs to a call that may ask for a proof, and says one thing', () => {
  const general = proofReason({ method: 'GET', path: '/api/user' });
  const calls = contractRows().filter(({ row }) => row.fresh || row.method !== 'GET');
  const said = new Set(calls.map(({ row }) => proofReason(row)).filter((reason) => reason !== general));
  expect(said.size).toBeGreaterThan(15);
  for (const reason of said) expect(reason).toMatch(/^You are about to [^,;]+\.$/);
  // What an author does with letters never falls back to the general one.
  const ofLetters = fresh.filter(({ name }) =>
    /^(legacyScrolls|warningAddress|secondWarning|trustedContact)\./.test(name),
  );
  expect(ofLetters.filter(({ row }) => proofReason(row) === general)).toEqual([]);
});
