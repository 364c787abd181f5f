// Which connections may stay, of one address and of all together, and which go in favour of others.
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { connectionLimits } from './connections.ts';
import { boundConnections, type OpenConnectionLimits } from './open-connections.ts';

/** As much of a socket as is looked at. */
class Peer extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy() {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

function aDoor(limits: Partial<OpenConnectionLimits> = {}, trusted = '') {
  const config = readConfig({ TRUSTED_PROXIES: trusted });
  const connections = boundConnections(config, { perAddress: 3, total: 1000, ...limits });
  return {
    come(address: string) {
      const peer = new Peer(address);
      connections.open(peer as unknown as Socket);
      return peer;
    },
    use: (peer: Peer) => connections.use(peer as unknown as Socket),
  };
}

const household = (site: number, n: number) => `2001:db8:${site.toString(16)}:${n.toString(16)}::1`;
const staying = (peers: readonly Peer[]) => peers.filter(({ destroyed }) => !destroyed).length;

describe('the connections of one address', () => {
  it('are bounded, and each that ends makes room for another', () => {
    const { come } = aDoor();
    const peers = ['198.51.100.1', '198.51.100.1', '::ffff:198.51.100.1'].map(come);
    expect(staying(peers)).toBe(3);
    expect(come('198.51.100.1').destroyed).toBe(true);
    expect(come('198.51.100.1').destroyed).toBe(true);
    expect(come('198.51.100.2').destroyed).toBe(false);
    peers[0]?.destroy();
    expect(come('198.51.100.1').destroyed).toBe(false);
    expect(come('198.51.100.1').destroyed).toBe(true);
  });

  it('are those of a household for IPv6', () => {
    const { come } = aDoor();
    for (const end of [1, 2, 3]) expect(come(`2001:db8::${end}`).destroyed).toBe(false);
    expect(come('2001:db8::4').destroyed).toBe(true);
    expect(come('2001:db8:0:1::1').destroyed).toBe(false);
  });

  it.each([
    ['a declared proxy, which brings everybody’s', '10.0.0.1', '10.0.0.1'],
    ['this machine', '127.0.0.1', ''],
    ['this machine', '::1', ''],
  ])('are not bounded for %s', (_, address, trusted) => {
    const { come } = aDoor({}, trusted);
    for (let i = 0; i < 50; i += 1) expect(come(address).destroyed).toBe(false);
  });

  it('are so many that no browser notices', () => {
    expect(connectionLimits.perAddress).toBeGreaterThanOrEqual(256);
    expect(connectionLimits.total).toBeGreaterThan(4 * connectionLimits.perAddress);
  });
});

describe('all connections', () => {
  it('are bounded, and whoever comes is let in at the cost of whoever holds most', () => {
    const { come } = aDoor({ total: 64 });
    const others = [1, 2, 3].map((n) => come(`198.51.100.${n}`));
    const greedy = Array.from({ length: 500 }, (_, n) => come(household(1, n)));
    expect(staying(others)).toBe(3);
    expect(staying(greedy)).toBeLessThanOrEqual(61);
    expect(staying(greedy)).toBeGreaterThan(50);
    for (let n = 10; n < 40; n += 1) others.push(come(`198.51.100.${n}`));
    expect(staying(others)).toBe(33);
  });

  it('of whoever holds most end with the one that was used longest ago', () => {
    const { come, use } = aDoor({ total: 64 });
    const greedy = Array.from({ length: 64 }, (_, n) => come(household(1, n)));
    use(greedy[0] as Peer);
    come('198.51.100.1');
    expect(greedy.map(({ destroyed }) => destroyed).indexOf(true)).toBe(1);
    expect(greedy[0]?.destroyed).toBe(false);
  });

  it('of proxies and of this machine are the last to go', () => {
    const { come } = aDoor({ total: 64 }, '10.0.0.1');
    const proxied = Array.from({ length: 50 }, (_, n) => come(n % 2 ? '10.0.0.1' : '127.0.0.1'));
    const strangers = Array.from({ length: 200 }, (_, n) => come(household(n, 1)));
    expect(staying(proxied)).toBe(50);
    expect(staying(strangers)).toBeLessThanOrEqual(14);
    const more = Array.from({ length: 200 }, () => come('10.0.0.1'));
    expect(staying(strangers)).toBe(0);
    expect(more.at(-1)?.destroyed).toBe(false);
    expect(staying([...proxied, ...more])).toBeLessThanOrEqual(64);
  });

  it('are counted once each: one that has ended ends for nobody', () => {
    const { come } = aDoor({ total: 64 });
    for (let n = 0; n < 1000; n += 1) come(household(1, n)).destroy();
    const all = Array.from({ length: 64 }, (_, n) => come(household(1, n)));
    expect(staying(all)).toBe(64);
  });
});
