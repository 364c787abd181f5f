// The one question that tells whether the database answers and has its tables.
import type { Deps } from '../../deps.ts';

/** @throws what the database throws */
export async function probeDatabase({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.selectFrom('setup_tokens').select('token_hash').limit(1).execute();
}
