// A TCP proxy before the database of a test. It can swallow what the database answers, as a network does whose route
// has gone: connections stand, requests arrive, and nothing ever comes back.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  url: string;
  /** From now on nothing comes back, on connections that stand and on new ones. */
  swallow(): void;
  /** New connections work. What was swallowed stays swallowed. */
  flow(): void;
  /** How many connections clients have open. */
  open(): number;
  close(): Promise<void>;
}

/** @param direct the URL of a database by its Unix socket */
export async function startDatabaseProxy(direct: string): Promise<DatabaseProxy> {
  const { hostname, pathname, username } = new URL(direct);
  const socket = `${decodeURIComponent(hostname)}/.s.PGSQL.5432`;
  let swallowing = false;
  const pairs = new Map<Socket, { dead: boolean }>();
  const server = createServer((client) => {
    const pair = { dead: swallowing };
    pairs.set(client, pair);
    const upstream = connect(socket);
    client.pipe(upstream);
    upstream.on('data', (answer) => {
      if (!pair.dead) client.write(answer);
    });
    client
      .on('error', () => {})
      .once('close', () => {
        pairs.delete(client);
        upstream.destroy();
      });
    upstream
      .on('error', () => {})
      .once('close', () => {
        if (!pair.dead) client.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://${username}@127.0.0.1:${port}${pathname}`,
    swallow() {
      swallowing = true;
      for (const pair of pairs.values()) pair.dead = true;
    },
    flow() {
      swallowing = false;
    },
    open: () => pairs.size,
    async close() {
      for (const client of pairs.keys()) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
