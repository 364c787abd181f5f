// What is chosen of a one-time link before it is made: how long it opens, and whether it asks for a passphrase.
import { useState } from 'react';
import { generatePassphrase } from '../../../crypto/passphrase.ts';
import { SHARE_HOURS_DEFAULT } from '../../../shared/nouns/sacred-key.ts';
import type { LinkOptions } from '../../../vault/outbox/link-writer.ts';
import { passphraseRefusal } from '../../strength/strength.ts';

export function useLinkOptions() {
  const [hours, setHours] = useState<number>(SHARE_HOURS_DEFAULT);
  const [passphrase, setPassphrase] = useState('');
  const [generated, setGenerated] = useState<string | undefined>();
  const [weak, setWeak] = useState<string | null>(null);
  return {
    hours,
    setHours,
    passphrase,
    generated,
    weak,
    setPassphrase(text: string) {
      setPassphrase(text);
      setWeak(null);
    },
    async choosePassphrase(): Promise<void> {
      const { wordList } = await import('../../../crypto/words.ts');
      const words = generatePassphrase(wordList);
      setGenerated(words);
      setPassphrase(words);
      setWeak(null);
    },
    /** What was chosen; null when the passphrase is too weak, which its field then says. */
    async read(): Promise<LinkOptions | null> {
      // White space alone is no passphrase: the link then asks for none.
      const refusal = passphrase.trim() && (await passphraseRefusal({ passphrase, generated }, []));
      setWeak(refusal || null);
      return refusal ? null : { hours, passphrase };
    },
  };
}

export type LinkForm = ReturnType<typeof useLinkOptions>;
