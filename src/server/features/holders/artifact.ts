// Makes artifacts: a letter to one wallet, signed by this instance and locked under the passphrase that the wallet makes.
// The passphrase is passed on to the cipher and put nowhere else.
import type { Deps } from '../../deps.ts';
import { tooMany } from '../../errors.ts';
import type { InstanceKey } from '../../signing/instance-key.ts';
import { artifactText, type Recipient } from './artifact-texts.ts';

/** How many are made at a time: each takes the processor for some milliseconds. */
const AT_ONCE = 2;
/** How many wait besides; more are told to come again. */
const IN_LINE = 32;

/** @param prove finds out whom it is for; it begins once there is a place in line, so that no challenge is used up without */
export type MakeArtifact = (
  prove: () => Promise<Omit<Recipient, 'at' | 'share'>>,
  passphrase: string,
) => Promise<string>;

/** @throws AppError `too-many`, of the maker, while too many artifacts are being made */
export function createArtifactMaker(
  { now, puzzle }: Pick<Deps, 'now' | 'puzzle'>,
  key: InstanceKey,
): MakeArtifact {
  const limited = limitAtOnce(AT_ONCE, IN_LINE);
  return (prove, passphrase) =>
    limited(async () => {
      const recipient = await prove();
      const at = new Date(now());
      const [{ signAndEncrypt }, unlocked] = await Promise.all([
        import('../../adapters/openpgp.ts'),
        key.unlocked(),
      ]);
      const share = puzzle.shares.get(recipient.rank) ?? null;
      const text = artifactText({ ...recipient, at, share });
      return signAndEncrypt(text, { key: unlocked, passphrase, at });
    });
}

/** Runs so many at a time, in the order in which they came. */
export function limitAtOnce(atOnce: number, inLine: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= inLine) throw tooMany(1000);
    // The one that ends hands its place on.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
