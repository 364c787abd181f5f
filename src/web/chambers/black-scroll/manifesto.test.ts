// What the manifesto says of the software is so: its figures are those of the code, what the server sees is named as such,
// and it claims nothing that docs/threat-model.md takes back.
import { describe, expect, test } from 'vitest';
import { newSealId, seal } from '../../../crypto/seal.ts';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import { sections } from '../../../shared/black-scroll.ts';
import { GATHERING_THRESHOLD, RITUAL_MINIMUM, rankTitle } from '../../../shared/nouns/holders.ts';
import { screens } from '../../../shared/screens.ts';
import { whatTheServerSees } from '../../../shared/server-sees.ts';

const said = sections.flatMap(({ paragraphs, items = [] }) => [
  ...paragraphs,
  ...items.map(({ name, says }) => `${name} ${says}`),
]);
const about = (words: string): string => {
  const found = said.filter((text) => text.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0] ?? '';
};

test.each([
  ['the server hears an artifact’s passphrase', /artifact, which that wallet alone can open/],
  ['lengths show in steps', /even its length/],
  ['the server keeps more than that', /keeps ciphertext and dates\./],
  ['a locked memory shows its title', /hands it to nobody/],
  ['the server reads the kind and the weight of a moment', /it cannot read\./],
  ['a link opens for the first who has it', /once, for one person/],
  ['a scroll also waits for a day, and a short silence is warned of once', /it asks, more than once/],
  ['a person may have thirteen wallets', /none of them can open alone/],
  ['ranks follow the amount', /first to stand|comes later/],
  ['the key’s words leave the browser on paper', /never leaves it unwrapped/],
  ['a warning address is an e-mail address', /No e-mail is asked for/],
  ['locked memories, ghosts and a sealed breath stay behind', /take everything along|copy of everything/],
  ['a backup can be restored', /cannot restore what you destroy/],
  ['nothing counts follows', /Forty-nine have followed/],
  ['a signature names a key, and nobody', /says who held the key/],
  ['the compiler and a test hold the wall, and the build does not look', /a line in the build/],
])('because %s, the manifesto does not say otherwise', (_, claim) => {
  expect(said.filter((text) => claim.test(text))).toEqual([]);
});

test('the Myth Builder’s door is not cut for as long as no screen stands behind it', () => {
  const isCut = (Object.keys(screens) as string[]).includes('/myth-builder');
  expect(said.some((text) => /Myth Builder .*not cut yet/.test(text))).toBe(!isCut);
});

describe('the figures', () => {
  test('of padding', async () => {
    expect(about('is padded')).toContain('steps of two hundred and fifty-six bytes');
    const contentKey = await deriveContentKey(generateVaultKey());
    const lengthOf = async (length: number) =>
      atob(
        await seal('x'.repeat(length), contentKey, { kind: 'memory', field: 'title', sealId: newSealId() }),
      ).length;
    expect(await lengthOf(251)).toBe(await lengthOf(0));
    expect((await lengthOf(252)) - (await lengthOf(251))).toBe(256);
  });

  test('of the token', () => {
    expect([GATHERING_THRESHOLD, RITUAL_MINIMUM]).toEqual([13, 100]);
    expect(about('open a chamber')).toMatch(/^Thirteen .* twelve cannot/);
    expect(about('sacred rituals')).toContain('A hundred open');
    expect(about('in the order of what they hold')).toMatch(
      new RegExp(`heaviest is called ${rankTitle(1)}, the next ${rankTitle(2)};.* up to thirteen`),
    );
  });
});

test.each([
  ['the name you sign in with', 'the name you sign in by'],
  ['when a session was last used', 'when you came'],
  ['which browser and system a session runs on', 'with which browser'],
  ['how many rows you store', 'how many things you keep'],
  ['how many bytes you store', 'how large'],
  ['a legacy scroll’s recipient’s address', 'to whom a scroll is addressed'],
  ['the wallet that you have linked', 'a wallet, if you have linked one'],
])('the server reads %s, and the manifesto says so', (field, words) => {
  const clear = whatTheServerSees().find((seen) => seen.class === 'clear');
  expect(clear?.fields).toContain(field);
  expect(about('The server keeps')).toContain(words);
});
