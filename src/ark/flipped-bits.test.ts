// No Ark whose bits were changed opens, wherever they stand in what it holds: in the head, in a way to open it that is not taken, in a
// piece. It takes half a minute, so that the whole suite alone runs it.
import { expect, test } from 'vitest';
import { openArk, readHead } from './reader/ark.js';
import { sealArk } from './write-ark.ts';

const FLIPS = 10_000;
const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const others = {
  passphrase: { stretched: key.toReversed(), params: { memory: 64, iterations: 1 } },
  kitSecrets: [key.map((byte) => byte ^ 85)],
};
const contentsOf = (texts: string[]) =>
  JSON.stringify({ asOf: '', entries: texts, format: 'latebra/ark-entries', leftOut: [], v: 1 });

/** Numbers that look random, and are always the same. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function outcomeOf(head: string, pieces: string): Promise<string> {
  try {
    const wrap = readHead(head).wraps.find(({ kind }) => kind === 'words');
    if (!wrap) return 'refused';
    await openArk(head, pieces, wrap, key);
    return 'opened';
  } catch {
    // Whatever is thrown, the page says that the Ark is damaged: a flipped bit may also take a member of the head away.
    return 'refused';
  }
}

test('none of 10,000 flipped bits opens silently', { timeout: 600_000 }, async () => {
  const roll = dice(30);
  const { head, pieces } = await sealArk(contentsOf(['It still rings. 🜏']), key, others);
  const all = `${head}${pieces.join('\n')}`;
  expect(await outcomeOf(head, all.slice(head.length))).toBe('opened');
  const outcomes: Record<string, number> = {};
  for (let count = 0; count < FLIPS; count += 1) {
    const at = roll(all.length);
    const flipped = String.fromCharCode(all.charCodeAt(at) ^ (1 << roll(8)));
    const changed = `${all.slice(0, at)}${flipped}${all.slice(at + 1)}`;
    const outcome = await outcomeOf(changed.slice(0, head.length), changed.slice(head.length));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  expect(outcomes).toEqual({ refused: FLIPS });
});
