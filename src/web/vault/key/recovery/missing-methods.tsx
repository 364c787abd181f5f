// Says that the server no longer lists a recovery method that this browser has set up, before it is needed.
import { useState } from 'react';
import type { User } from '../../../../shared/nouns/account.ts';
import { Button } from '../../../ui/button.tsx';
import {
  forgetMethods,
  type ListedMethods,
  methodsSetHere,
  methodWords,
  missingMethods,
} from '../../device/methods-set-here.ts';

/** What a server says of a user, where it gives no list of passkeys. */
const listedOf = ({
  recoveryPasskeys,
  recoveryPassphrase,
  wordsKeptAt,
}: Pick<User, 'recoveryPasskeys' | 'recoveryPassphrase' | 'wordsKeptAt'>): ListedMethods => ({
  passkeys: recoveryPasskeys,
  passphrase: recoveryPassphrase,
  words: wordsKeptAt !== null,
});

interface Props {
  user: User;
  fingerprint: string;
  /** What the server lists, where it says more than the account does. */
  listed?: ListedMethods;
}

export default function MissingMethods({ user, fingerprint, listed = listedOf(user) }: Props) {
  const { id: uid } = user;
  const [known, setKnown] = useState(false);
  const missing = missingMethods(methodsSetHere(uid, fingerprint), listed);
  const what = methodWords(missing);
  if (known || what === null) return null;
  return (
    <section
      aria-label="A recovery method is missing"
      className="mb-10 grid justify-items-start gap-3 border-l-4 border-blood pl-4 text-note text-dust"
    >
      <p className="text-bone">This server does not list {what} any more. You set it up in this browser.</p>
      <p>
        If you took it away yourself, on another device perhaps, all is well. If not, an error of the server
        can be the cause, or its administrator. Set up another recovery method while this vault is open, and
        check that it opens it.
      </p>
      <Button
        tone="caps"
        onClick={() => {
          forgetMethods(uid, fingerprint, missing);
          setKnown(true);
        }}
      >
        I took it away myself
      </Button>
    </section>
  );
}
