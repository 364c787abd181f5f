// The one question that tells whether the database answers and has its tables.
import type { Deps } from '../../deps.ts';

export async function probeDatabase({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  await db.selectFrom('setup_tokens').select('token_hash').limit(1).execute();
  return true;
}
