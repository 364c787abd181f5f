import {
  Decrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { newSealId, sealerTo } from './sealed-box.ts';

const identity = await generateHybridIdentity();
const recipient = await identityToRecipient(identity);
const place = { kind: 'myth', field: 'title', sealId: 'QEFCQ0RFRkdISUpLTE1OTw' };

async function insideOf(box: string): Promise<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return Buffer.from(await decrypter.decrypt(Buffer.from(box, 'base64')));
}

async function seal(text: string): Promise<string> {
  const sealer = await sealerTo(recipient);
  if (!sealer) throw new Error('There is no sealer.');
  return sealer(text, place);
}

describe('a sealed box', () => {
  it('is an age file for one post-quantum recipient, in base64', async () => {
    const box = await seal('The Well');
    const head = Buffer.from(box, 'base64').toString('latin1').split('\n');
    expect(head[0]).toBe('age-encryption.org/v1');
    expect(head.filter((line) => line.startsWith('-> '))).toEqual([
      expect.stringMatching(/^-> mlkem768x25519 \S+$/),
    ]);
    expect(await seal('The Well')).not.toBe(box);
  });

  it('holds canonical JSON with its place, and padding', async () => {
    const json =
      '{"field":"title","kind":"myth","sealId":"QEFCQ0RFRkdISUpLTE1OTw","text":"The \\"Well\\" 🕯️","v":1}';
    const inside = await insideOf(await seal('The "Well" 🕯️'));
    const length = Buffer.byteLength(json);
    expect(inside.subarray(0, length).toString('utf8')).toBe(json);
    expect(inside[length]).toBe(0x80);
    expect(inside.length).toBe(256);
    expect(inside.subarray(length + 1).every((byte) => byte === 0)).toBe(true);
  });

  it.each([0, 170, 171, 172, 173, 174, 175, 176, 256, 70_000])(
    'of %i characters shows its length in steps of 256 bytes alone',
    async (length) => {
      const inside = await insideOf(await seal('a'.repeat(length)));
      expect(inside.length % 256).toBe(0);
      const end = inside.lastIndexOf(0x80);
      expect(inside.length - end).toBeLessThanOrEqual(256);
      expect(JSON.parse(inside.subarray(0, end).toString('utf8')).text).toHaveLength(length);
    },
  );

  it('holds no half of a character', async () => {
    const inside = await insideOf(await seal('a\ud800b'));
    expect(inside.toString('utf8')).toContain('"a\ufffdb"');
  });

  it('is made for nothing but a whole recipient of that kind', async () => {
    const classical = await identityToRecipient(await generateX25519Identity());
    const wrong = [classical, '', 'age1pq1', recipient.slice(0, -1), `${recipient}q`, identity];
    for (const other of [...wrong, `age1pq1${'0'.repeat(80)}`]) expect(await sealerTo(other)).toBeNull();
  });

  it('belongs to a row by a number of its own', () => {
    const ids = Array.from({ length: 50 }, newSealId);
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });
});
