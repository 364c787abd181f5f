// The cluster that tests kill comes back each time, also while clients knock.
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { openPostgres } from '../server/db/open.ts';
import { describeOnPostgres } from './engines.ts';
import { startCluster } from './postgres-cluster.ts';

describeOnPostgres('a cluster that is killed', () => {
  it('starts again at the first try, while clients knock and are turned away', async () => {
    const cluster = await startCluster({ durable: false });
    if (!cluster) throw new Error('PostgreSQL has gone.');
    const socket = `${decodeURIComponent(new URL(cluster.url('postgres')).hostname)}/.s.PGSQL.5432`;
    // A start-up message: version 3.0, user and database.
    const words = Buffer.from('user\0latebra\0database\0postgres\0\0');
    const hello = Buffer.concat([Buffer.from([0, 0, 0, words.length + 8, 0, 3, 0, 0]), words]);
    let knocking = true;
    const knock = () =>
      new Promise<void>((resolve) => {
        const client = connect(socket);
        client.on('error', () => {}).once('close', () => resolve());
        client.once('connect', () => client.write(hello)).once('data', () => client.destroy());
      });
    const knocks = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (knocking) await knock();
      }),
    );
    for (let round = 0; round < 8; round += 1) {
      await cluster.crash();
      await cluster.restart();
    }
    knocking = false;
    await knocks;
    const { db } = await openPostgres(cluster.url('postgres'));
    expect(await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute()).toEqual([{ one: 1 }]);
    await db.destroy();
    await cluster.stop();
  });
});
