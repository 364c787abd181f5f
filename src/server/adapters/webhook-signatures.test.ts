import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { judgeDelivery } from './webhook-signatures.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const TOLERANCE = 300_000;
const key = Buffer.alloc(32, 7);
const body = Buffer.from('{"type":"a"}');
const sign = (id: string, at: number, text: string, by = key) =>
  new Webhook(by.toString('base64')).sign(id, new Date(at), text);

const judge = (
  { id = 'msg_1', at = NOW, signature = sign('msg_1', at, body.toString()) } = {} as {
    id?: string;
    at?: number;
    signature?: string;
  },
  bytes: Uint8Array = body,
  keys = [key],
) =>
  judgeDelivery({ id, timestamp: String(Math.floor(at / 1000)), signature }, bytes, keys, {
    now: NOW,
    tolerance: TOLERANCE,
  });

describe('the signature of a delivery', () => {
  it('is right when another library made it, whatever the body', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\x21-\x2d\x2f-\x7e]{1,60}$/),
        fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
        (id, text) => {
          expect(judge({ id, signature: sign(id, NOW, text) }, Buffer.from(text))).toBe('right');
        },
      ),
    );
  });

  it('may be one of several, in any place and beside other versions', () => {
    const right = sign('msg_1', NOW, body.toString());
    const wrong = sign('msg_1', NOW, 'other');
    for (const signature of [`${wrong} ${right}`, `${right} ${wrong}`, `v1a,AAAA v2,BBBB ${right}`]) {
      expect(judge({ signature })).toBe('right');
    }
    expect(judge({ signature: right.replace('v1,', 'v2,') })).toBe('signature');
    expect(judge({ signature: `${wrong} ${wrong}` })).toBe('signature');
  });

  it('is right by any of the secrets, and by no other', () => {
    const old = Buffer.alloc(32, 8);
    const signature = sign('msg_1', NOW, body.toString(), old);
    expect(judge({ signature }, body, [key, old])).toBe('right');
    expect(judge({ signature }, body, [key])).toBe('signature');
    expect(judge({ signature }, body, [])).toBe('signature');
  });

  it('is of every bit of the body, the id and the time', () => {
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const altered = Buffer.from(body);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(judge({}, altered)).toBe('signature');
    }
    const signature = sign('msg_1', NOW, body.toString());
    expect(judge({ id: 'msg_2', signature })).toBe('signature');
    expect(judge({ at: NOW + 1000, signature })).toBe('signature');
  });

  it.each([
    [0, 'right'],
    [TOLERANCE, 'right'],
    [-TOLERANCE, 'right'],
    [TOLERANCE + 1000, 'time'],
    [-TOLERANCE - 1000, 'time'],
    [1e12, 'time'],
  ])('%i milliseconds away is %s', (away, verdict) => {
    expect(judge({ at: NOW + away })).toBe(verdict);
  });

  it.each([
    ['no id', { id: '' }],
    ['an id that could be cut elsewhere', { id: 'msg.1' }],
    ['an id with a space', { id: 'msg 1' }],
    ['an endless id', { id: 'm'.repeat(257) }],
    ['no signature', { signature: '' }],
    ['endless signatures', { signature: `v1,${'A'.repeat(2000)}` }],
  ])('counts as none with %s', (_, sent) => {
    expect(judge(sent)).toBe('unsigned');
  });

  it.each(['', '1.5', '-1', '0x10', 'NaN', ' 1', '9'.repeat(20)])(
    'counts as none at the time %j',
    (timestamp) => {
      const signature = sign('msg_1', NOW, body.toString());
      const judged = judgeDelivery({ id: 'msg_1', timestamp, signature }, body, [key], {
        now: NOW,
        tolerance: TOLERANCE,
      });
      expect(judged).toBe('unsigned');
    },
  );
});
