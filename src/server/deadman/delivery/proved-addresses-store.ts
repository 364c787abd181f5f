// The addresses of an author that warnings go to: the first one, and a second one if there is one.
import type { WarningChannel } from '../../../shared/nouns/warning-addresses.ts';
import type { Database } from '../../db/open.ts';

export interface ProvedAddress {
  channel: WarningChannel;
  address: string;
}

/** Those that somebody has proved, the first one first. */
export async function provedAddresses(tx: Database, accountId: number): Promise<ProvedAddress[]> {
  const rows = await tx
    .selectFrom('warning_addresses')
    .select(['channel', 'address'])
    .where('account_id', '=', accountId)
    .where('proved_at', 'is not', null)
    .orderBy('place')
    .execute();
  return rows.flatMap(({ channel, address }) => (address === null ? [] : [{ channel, address }]));
}
