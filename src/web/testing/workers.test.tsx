// The workers' stand-in answers as the workers do, so that passphrases can be chosen and stretched in web tests.
import { expect, test } from 'vitest';
import { PASSPHRASE_PARAMS } from '../../crypto/passphrase.ts';
import { passphraseRefusal } from '../strength/strength.ts';
import { stretchPassphrase } from '../vault/key/stretch-passphrase.ts';
import { askWorker } from '../workers.ts';

test('a passphrase is stretched', async () => {
  const stretched = await stretchPassphrase('a candle on the sill', new Uint8Array(16), PASSPHRASE_PARAMS);
  expect(stretched).toHaveLength(32);
});

test('a weak passphrase is refused with advice, and a strong one is taken', async () => {
  expect(await passphraseRefusal({ passphrase: 'password password' }, [])).toMatch(/too easy to guess/);
  expect(await passphraseRefusal({ passphrase: 'plum cake on a stone wall' }, [])).toBeNull();
});

test('a worker that is not known fails as one that could not be loaded', async () => {
  await expect(askWorker('/assets/other-worker-1.js').ask({})).rejects.toThrow('a worker has failed');
});
