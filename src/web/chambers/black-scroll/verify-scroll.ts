// Checks the manifesto's signature in this browser, as gpg would. OpenPGP is large, so it is fetched when somebody asks.
import { game, scrollFiles } from '../../../shared/nouns/game.ts';
import type { ApiClient } from '../../api/client.ts';

export type Verdict =
  | {
      verdict: 'good';
      /** Of the key that signed, hex in capitals. */
      fingerprint: string;
      signedAt: Date;
    }
  | { verdict: 'broken' };

/** Whether a text is as a key signed it. What cannot be read as text, signature and key is broken too. */
export async function verifyText(
  text: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): Promise<Verdict> {
  const { createMessage, readKey, readSignature, verify } = await import('openpgp');
  const armor = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  try {
    const key = await readKey({ armoredKey: armor(publicKey) });
    const { signatures } = await verify({
      message: await createMessage({ binary: text }),
      signature: await readSignature({ armoredSignature: armor(signature) }),
      verificationKeys: key,
      format: 'binary',
    });
    const [first] = signatures;
    if (!first || !(await first.verified)) return { verdict: 'broken' };
    const [packet] = (await first.signature).packets;
    if (!packet?.created) return { verdict: 'broken' };
    return { verdict: 'good', fingerprint: key.getFingerprint().toUpperCase(), signedAt: packet.created };
  } catch {
    return { verdict: 'broken' };
  }
}

/**
 * Fetches the text, its signature and the key, and compares them.
 * @throws when one of the files, or what checks them, cannot be fetched
 */
export async function verifyScroll({ fetchFile }: Pick<ApiClient, 'fetchFile'>): Promise<Verdict> {
  const fetched = (name: string) => fetchFile(game.file, { params: { name } });
  const [text, signature, publicKey] = await Promise.all([
    fetched(scrollFiles.text),
    fetched(scrollFiles.signature),
    fetched(scrollFiles.publicKey),
  ]);
  return verifyText(text, signature, publicKey);
}
