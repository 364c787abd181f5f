// What an export contains, by the list of sealed kinds.
import { expect, test } from 'vitest';
import { kindNames, restorableKinds, sealedKinds } from '../../shared/sealed-kinds.ts';
import { countedAs, exported } from './entries-file.ts';

test('every kind is taken along by an export, or counted by it', () => {
  expect([...Object.keys(countedAs), ...restorableKinds(sealedKinds)].sort()).toEqual(
    kindNames(sealedKinds).sort(),
  );
  const taken = kindNames(sealedKinds).filter((kind) => sealedKinds[kind].exportable);
  expect([...Object.keys(exported), ...restorableKinds(sealedKinds)].sort()).toEqual(taken.sort());
});
