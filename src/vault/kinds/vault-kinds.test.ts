import { expect, test } from 'vitest';
import { kindNames, resealableKinds, sealedKinds } from '../../shared/sealed-kinds.ts';
import { everythingInAVault, everythingSealedAnew } from './vault-kinds.ts';

test('dialogs name every kind that goes, each once, and every kind that is sealed anew', () => {
  expect(everythingInAVault).toContain('every myth');
  expect(everythingInAVault.split(/, | and /)).toHaveLength(kindNames(sealedKinds).length);
  expect(everythingSealedAnew).toContain('myths');
  expect(everythingSealedAnew).not.toContain('final breath');
  expect(everythingSealedAnew.split(/, /)).toHaveLength(resealableKinds(sealedKinds).length - 1);
});
