import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { addressBucket, clientAddress } from './client-address.ts';

async function addressOf(peer: string, forwarded: string | null, trusted = ''): Promise<string> {
  const config = readConfig({ TRUSTED_PROXIES: trusted });
  const app = new Hono().get('/', (c) => c.text(clientAddress(config, c)));
  const headers: Record<string, string> = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
  const response = await app.request('/', { headers }, { incoming: { socket: { remoteAddress: peer } } });
  return response.text();
}

describe('a client’s address', () => {
  it.each([
    ['is the peer’s', '198.51.100.1', null, '', '198.51.100.1'],
    ['is the peer’s, whatever an untrusted peer claims', '198.51.100.1', '203.0.113.9', '', '198.51.100.1'],
    [
      'is the peer’s when another proxy is trusted',
      '198.51.100.1',
      '203.0.113.9',
      '10.0.0.1',
      '198.51.100.1',
    ],
    ['is what a trusted proxy forwards', '10.0.0.1', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
    [
      'is the nearest that is not trusted',
      '10.0.0.1',
      '1.2.3.4, 203.0.113.9, 10.0.0.2',
      '10.0.0.0/8',
      '203.0.113.9',
    ],
    ['is not what the client itself wrote', '10.0.0.1', '127.0.0.1, 203.0.113.9', '10.0.0.1', '203.0.113.9'],
    ['is the proxy’s when it forwards nothing', '10.0.0.1', null, '10.0.0.1', '10.0.0.1'],
    ['is the proxy’s when all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.0/8', '10.0.0.1'],
    ['is the proxy’s when nobody can read what it wrote', '10.0.0.1', 'unknown', '10.0.0.1', '10.0.0.1'],
    [
      'is not looked for behind something unreadable',
      '10.0.0.1',
      '203.0.113.9, _hidden',
      '10.0.0.1',
      '10.0.0.1',
    ],
    [
      'is looked for from the end, through sixteen proxies at most',
      '10.0.0.1',
      `203.0.113.9${', 10.0.0.2'.repeat(15)}`,
      '10.0.0.0/8',
      '203.0.113.9',
    ],
    [
      'is the proxy’s behind a longer chain',
      '10.0.0.1',
      `203.0.113.9${', 10.0.0.2'.repeat(16)}`,
      '10.0.0.0/8',
      '10.0.0.1',
    ],
    [
      'is the nearest, however many the client wrote before it',
      '10.0.0.1',
      `${'1.2.3.4, '.repeat(10_000)}203.0.113.9`,
      '10.0.0.1',
      '203.0.113.9',
    ],
    [
      'is the proxy’s when nothing stands after the last comma',
      '10.0.0.1',
      '203.0.113.9,',
      '10.0.0.1',
      '10.0.0.1',
    ],
    ['loses the port that some proxies add', '10.0.0.1', '203.0.113.9:4711', '10.0.0.1', '203.0.113.9'],
    ['may be IPv6, in brackets or not', '10.0.0.1', '[2001:db8::9]:4711', '10.0.0.1', '2001:db8::9'],
    [
      'is IPv4 where a socket calls it IPv6',
      '::ffff:10.0.0.1',
      '::ffff:203.0.113.9',
      '10.0.0.1',
      '203.0.113.9',
    ],
    ['comes through an IPv6 proxy as well', 'fd00::1', '203.0.113.9', 'fd00::/8', '203.0.113.9'],
    ['is empty where there is no socket', '', '203.0.113.9', '10.0.0.1', ''],
  ])('%s', async (_, peer, forwarded, trusted, expected) => {
    expect(await addressOf(peer, forwarded, trusted)).toBe(expected);
  });
});

describe('what attempts are counted by', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('of %s is %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });
});
