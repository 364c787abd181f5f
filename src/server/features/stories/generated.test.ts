import { Decrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { expect, it } from 'vitest';
import type { Myth, MythInput } from '../../../shared/nouns/myth.ts';
import type { Deps } from '../../deps.ts';
import { keepStory, type Recipient } from './generated.ts';

const identities = [await generateHybridIdentity(), await generateHybridIdentity()];
const keys: Recipient[] = await Promise.all(
  identities.map(async (identity, n) => ({
    fingerprint: String(n).repeat(16),
    recipient: await identityToRecipient(identity),
  })),
);
const story = { title: 'The Well', text: 'It was never dry.', storyType: 'biography', writer: null } as const;

/** Tables of a vault whose key is replaced so many times between the look at it and the insertion. */
function changing(times: number) {
  const tried: MythInput[] = [];
  let now = 0;
  return {
    tried,
    vaults: {
      findRecipient: async () => keys[Math.min(now, 1)] ?? null,
      create: async (_: Deps, __: number, input: MythInput) => {
        tried.push(input);
        now += 1;
        return now <= times ? ('key-changed' as const) : (input as unknown as Myth);
      },
    },
  };
}

it('is sealed anew, once, where the key is replaced between the look and the insertion', async () => {
  const { vaults, tried } = changing(1);
  const kept = await keepStory({} as Deps, vaults, 1, story);
  expect(kept.keyFingerprint).toBe('1'.repeat(16));
  // Nothing of the first try is used again: what was sealed to the old key stays as it was.
  expect(new Set(tried.map(({ sealId }) => sealId)).size).toBe(2);
  for (const [n, { encryptedContent }] of tried.entries()) {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identities[n] as string);
    const inside = Buffer.from(await decrypter.decrypt(Buffer.from(encryptedContent, 'base64')));
    expect(inside.toString('latin1')).toContain(story.text);
  }
});

it('is given up with words of its own where that happens twice', async () => {
  const { vaults, tried } = changing(2);
  await expect(keepStory({} as Deps, vaults, 1, story)).rejects.toMatchObject({
    code: 'key-changed',
    message: expect.stringMatching(/while this story was written/),
  });
  expect(tried).toHaveLength(2);
});
