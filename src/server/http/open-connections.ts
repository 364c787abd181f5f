// How many connections are open: of one address, and of all together. It knows sockets and their addresses, and no request.
import type { Socket } from 'node:net';
import { isLoopback } from '../config/readers.ts';
import type { Config } from '../config.ts';
import { addressBucket, isTrustedProxy, networkOf, plainAddress } from './client-address.ts';

export interface OpenConnectionLimits {
  /** Of one address at a time. */
  perAddress: number;
  /** Of all together. */
  total: number;
}

export interface OpenConnections {
  /** Counts a connection, which may end it, or others in its favour. */
  open(socket: Socket): void;
  /** Notes that a request has begun on it. */
  use(socket: Socket): void;
}

/** What share of all is ended at once where there are too many, so that they are seldom compared. */
const SPARED = 1 / 32;

/** Connections that declared proxies bring, and those of this machine: everybody's. */
const PROXIES = '';

/**
 * Ends the connections of one address beyond its number. A declared proxy brings everybody's, and so may one on this
 * machine that nobody declared; what is behind them is counted by request (`flood-gate.ts`).
 *
 * Where there are too many of all, those that were used longest ago of whichever network has most are ended: whoever comes
 * is let in, however many somebody else holds. Those of proxies are the last to go.
 */
export function boundConnections(
  config: Pick<Config, 'trustedProxies'>,
  { perAddress, total }: OpenConnectionLimits,
): OpenConnections {
  const perBucket = new Map<string, number>();
  /** By network; the one that was used longest ago first. */
  const networks = new Map<string, Set<Socket>>();
  const networkOfSocket = new WeakMap<Socket, string>();
  let count = 0;

  const isProxy = (address: string) =>
    address === '' || isLoopback(address) || isTrustedProxy(config, address);

  function leave(socket: Socket, network: string): void {
    const others = networks.get(network);
    if (!others?.delete(socket)) return;
    count -= 1;
    if (others.size === 0) networks.delete(network);
  }

  function greediest(): string | undefined {
    let most: string | undefined;
    const size = (network: string) => (network === PROXIES ? 0 : (networks.get(network)?.size ?? 0));
    for (const network of networks.keys())
      if (most === undefined || size(network) > size(most)) most = network;
    return most;
  }

  function makeRoom(): void {
    for (const few = total * (1 - SPARED); count > few; ) {
      const network = greediest();
      const [oldest] = (network !== undefined && networks.get(network)) || [];
      if (network === undefined || !oldest) return;
      leave(oldest, network);
      oldest.destroy();
    }
  }

  return {
    open(socket) {
      const address = plainAddress(socket.remoteAddress ?? '');
      const bucket = isProxy(address) ? PROXIES : addressBucket(address);
      if (bucket !== PROXIES) {
        const others = perBucket.get(bucket) ?? 0;
        if (others >= perAddress) {
          socket.destroy();
          return;
        }
        perBucket.set(bucket, others + 1);
      }
      const network = bucket === PROXIES ? PROXIES : networkOf(address);
      // Room first: whoever comes is not who goes.
      if (count >= total) makeRoom();
      const inside = networks.get(network) ?? new Set();
      networks.set(network, inside.add(socket));
      networkOfSocket.set(socket, network);
      count += 1;
      socket.once('close', () => {
        leave(socket, network);
        if (bucket === PROXIES) return;
        const left = (perBucket.get(bucket) ?? 1) - 1;
        if (left > 0) perBucket.set(bucket, left);
        else perBucket.delete(bucket);
      });
    },

    use(socket) {
      const inside = networks.get(networkOfSocket.get(socket) ?? PROXIES);
      if (inside?.delete(socket)) inside.add(socket);
    },
  };
}
