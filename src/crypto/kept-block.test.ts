import { expect, test } from 'vitest';
import { OpenError } from './errors.ts';
import { openBlock, sealBlock } from './kept-block.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';

const context = { list: '/api/memory-entries', name: 'a-block' };

test('a block opens under its key, in its list, by its name, and nowhere else', async () => {
  const key = await deriveContentKey(generateVaultKey());
  const sealed = await sealBlock('What stood in it: ö', key, context);
  expect(await openBlock(sealed, key, context)).toBe('What stood in it: ö');
  const other = await deriveContentKey(generateVaultKey());
  await expect(openBlock(sealed, other, context)).rejects.toThrow(OpenError);
  await expect(openBlock(sealed, key, { ...context, list: '/api/myth-stories' })).rejects.toThrow(OpenError);
  await expect(openBlock(sealed, key, { ...context, name: 'another' })).rejects.toThrow(OpenError);
  const changed = sealed.slice();
  changed[20] = (changed[20] ?? 0) ^ 1;
  await expect(openBlock(changed, key, context)).rejects.toThrow(OpenError);
});
