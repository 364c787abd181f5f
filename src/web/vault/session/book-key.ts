// Where the query cache has the state of a vault's book. It is forgotten with everything that was opened.
import type { Vault } from '../../../vault/vault.ts';

export const bookKey = ({ user, fingerprint }: Pick<Vault, 'user' | 'fingerprint'>) => [
  'opened',
  'book',
  user.id,
  fingerprint,
];
