// The address of whoever asks, through proxies that are trusted and no others, and what its attempts are counted by.
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Context } from 'hono';
import type { Config } from '../config.ts';

type Where = Pick<Config, 'trustedProxies'>;

/** The address of whoever speaks to us directly; empty for a request that came through no socket. */
export function peerAddress(c: Context): string {
  const incoming = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming;
  return plainAddress(incoming?.socket?.remoteAddress ?? '');
}

/** How IPv6 spells an IPv4 address. */
const MAPPED = '::ffff:';

/** A socket's address, IPv4 as such. */
export const plainAddress = (address: string): string =>
  address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;

/** An address as it stands in X-Forwarded-For, perhaps with a port; empty for what is none. */
function readAddress(text: string): string {
  const bare = text.trim();
  const withPort = /^\[([^\]]+)\](?::\d+)?$/.exec(bare) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bare);
  const address = (withPort?.[1] ?? bare).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? '' : address;
}

/** This machine; and networks that the internet does not lead to (RFC 1918, 3927, 4193, 4291). */
const PRIVATE_NETWORKS = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const;
const privateAddresses = new BlockList();
for (const [network, bits, type] of PRIVATE_NETWORKS) privateAddresses.addSubnet(network, bits, type);

/** Whether an address is of this machine or of a private network. */
export const isPrivate = (address: string): boolean =>
  isIP(address) !== 0 && privateAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Whether an address is one of a proxy that TRUSTED_PROXIES names. */
export function isTrustedProxy({ trustedProxies }: Where, address: string): boolean {
  if (trustedProxies === null || isIP(address) === 0) return false;
  return trustedProxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Whether whoever speaks to us directly is a proxy that we believe. */
export function comesThroughTrustedProxy(config: Where, c: Context): boolean {
  return config.trustedProxies !== null && isTrustedProxy(config, peerAddress(c));
}

/**
 * The client's address: the nearest one in X-Forwarded-For that is not a trusted proxy, else the peer's.
 * An untrusted peer's header is not looked at.
 * @returns empty for a request that came through no socket
 */
export function clientAddress(config: Where, c: Context): string {
  const peer = peerAddress(c);
  if (!isTrustedProxy(config, peer)) return peer;
  // What a trusted proxy wrote and nobody can read leaves the proxy itself to be counted.
  return nearestStranger(config, c.req.header('x-forwarded-for') ?? '') || peer;
}

/** No chain of our own proxies is longer. Beyond it stands what the client wrote, as much as fits into a header. */
const HOPS_MAX = 16;

/** The last hop that is not a trusted proxy, read from the end; empty for none, or for one that nobody can read. */
function nearestStranger(config: Where, forwarded: string): string {
  let end = forwarded.length;
  for (let hops = 0; hops < HOPS_MAX && end >= 0; hops += 1) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(',', end - 1);
    const hop = readAddress(forwarded.slice(comma + 1, end));
    if (!isTrustedProxy(config, hop)) return hop;
    end = comma;
  }
  return '';
}

/** What attempts are counted by: an IPv4 address, or the /64 that one IPv6 household owns. */
export function addressBucket(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = address.includes('::') ? Array(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** What one owner can have for nothing: an IPv4 address, or a /48 of IPv6, in which there are 65,536 of such households. */
export function networkOf(address: string): string {
  const bucket = addressBucket(address);
  return isIPv6(address) ? `${bucket.split(':').slice(0, 3).join(':')}::/48` : bucket;
}
