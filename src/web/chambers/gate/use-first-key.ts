// The first key of an account that was made a moment ago. The account can be made only once, so what wraps its key
// stays in this page's memory until the key's envelope has arrived: the same press then sends the envelope again.
import { useState } from 'react';
import { account, type User } from '../../../shared/nouns/account.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { toast } from '../../ui/toaster.tsx';
import { establishKey, type WrappingWay } from '../../vault/key/establish-key.ts';

/** An account without a key, and what its key will be wrapped under; null if its owner goes on without. */
export interface Begun {
  user: User;
  way: WrappingWay | null;
}

export interface FirstKey {
  /** Set once an account was made here, while its key has not arrived. */
  begun: Begun | null;
  /**
   * Makes the key, sends its envelope and goes in. Can be called again with the same.
   * @throws ApiError, TypeError when the envelope may not have arrived
   */
  finish: (begun: Begun) => Promise<void>;
}

export function useFirstKey(onEntered: (user: User) => void): FirstKey {
  const api = useApi();
  const [begun, setBegun] = useState<Begun | null>(null);

  async function finish(next: Begun): Promise<void> {
    setBegun(next);
    try {
      await establishKey(api, next.user, next.way, null);
      // What the server says of the key now is what the next screen goes by.
      onEntered(await api.send(account.user, {}));
    } catch (error) {
      // The sign-in is too long ago to make a key by. The vault's own door asks for the passphrase or passkey again.
      if (refusedAs(error, 'proof-needed')) return onEntered(next.user);
      toast({ title: 'Failed to Generate Key', description: sentenceOf(error), tone: 'destructive' });
      throw error;
    }
  }

  return { begun, finish };
}
