// Opens an artifact in this browser, and says whose signature it carries. OpenPGP is large, so it is fetched when
// somebody opens one.

import { DAY } from '../../shared/time.ts';

export interface ReadArtifact {
  text: string;
  signature: 'good' | 'bad' | 'unchecked';
}

/** By how much the clocks of a browser and a server may differ: a signature is not worse for it. */
const CLOCKS_DIFFER = DAY;

/**
 * @param armoredKey the server's public key; null where it could not be fetched
 * @throws Error when the passphrase does not open the message
 */
export async function readArtifact(
  armored: string,
  passphrase: string,
  armoredKey: string | null,
): Promise<ReadArtifact> {
  const { decrypt, readKey, readMessage } = await import('openpgp');
  const message = await readMessage({ armoredMessage: armored });
  const key = armoredKey === null ? null : await readKey({ armoredKey }).catch(() => null);
  const { data, signatures } = await decrypt({
    message,
    passwords: [passphrase],
    date: new Date(Date.now() + CLOCKS_DIFFER),
    ...(key && { verificationKeys: key }),
  });
  const text = String(data);
  if (!key) return { text, signature: 'unchecked' };
  const [first] = signatures;
  const isGood = first !== undefined && (await first.verified.catch(() => false));
  return { text, signature: isGood ? 'good' : 'bad' };
}
