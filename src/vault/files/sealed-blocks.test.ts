// What a worker that seals says of a file that is another one by now.
import { expect, test } from 'vitest';
import { fileCipher, newFile } from '../../crypto/file.ts';
import { createSealingWork } from './sealed-blocks.ts';

test('a file that has become shorter is said to have changed, in words that pass from a worker to its page', async () => {
  const cipher = await fileCipher({ ...newFile(), bytes: 1000 });
  const work = createSealingWork();
  const range = { from: 0, to: cipher.layout.sealed };
  const reply = await work({ cipher, range, block: new Blob([new Uint8Array(999)]) });
  expect(structuredClone(reply)).toEqual({ isChanged: true });
  const whole = await work({ cipher, range, block: new Blob([new Uint8Array(1000)]) });
  expect('sealed' in whole && whole.sealed.bytes).toHaveLength(cipher.layout.sealed);
});
