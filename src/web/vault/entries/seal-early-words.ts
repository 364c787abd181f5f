// What was typed into the desk of a kept app whose session turns out to have ended: it waits for its author as a draft of the line.
import { fromHex } from '../../../crypto/base64.ts';
import { deriveContentKey } from '../../../crypto/vault-key.ts';
import { loadKeptUser } from '../../api/kept-user.ts';
import { takeEarlyWords } from '../../early-words.ts';
import { loadKey } from '../device/key-slot.ts';
import { LINE_DRAFT } from './begun.ts';
import { keepAsDraft } from './draft-slots.ts';

/** Seals it with the key that this browser keeps. Where it keeps none, the document has shown no desk. */
export async function sealEarlyWords(): Promise<void> {
  const { words = '' } = takeEarlyWords() ?? {};
  const user = loadKeptUser()?.user;
  const key = user && loadKey(user.id);
  if (words === '' || !user || !key) return;
  await keepAsDraft({ user, contentKey: await deriveContentKey(fromHex(key)) }, LINE_DRAFT, words);
}
