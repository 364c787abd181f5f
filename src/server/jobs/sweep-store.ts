// The statements of the sweep.
import type { Deps } from '../deps.ts';

export async function deleteExpired({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const time = now();
  await db.deleteFrom('sessions').where('expires_at', '<=', time).execute();
  await db.deleteFrom('challenges').where('expires_at', '<=', time).execute();
  await db.deleteFrom('attempts').where('resets_at', '<=', time).execute();
}
