// A browser that regenerates its key, as far as a server can tell: it fetches what it may, seals it anew and stages it.
import { randomBytes } from 'node:crypto';
import type { Memory } from '../shared/nouns/memory.ts';
import type { LeftEntry, ResealedEntry } from '../shared/nouns/regeneration.ts';
import type { KeyRingRecord } from '../shared/nouns/vault-key.ts';
import { anEnvelope, aPassphraseWrap } from './vault-keys.ts';

export const REGENERATION = '/api/encryption-key/regeneration';

/** How a person's requests travel: through an app in memory, or to a program. */
export type Sender = (method: string, path: string, body?: unknown) => Promise<Response>;

/** Ciphertext that says of itself that it is new: what was fetched, with a mark before it. */
export const NEW = 'TkVX';
export const anew = (old: string) => NEW + old;

export const aKeyRing = (): KeyRingRecord => ({
  sealId: randomBytes(16).toString('base64url'),
  sealed: randomBytes(96).toString('base64'),
});

/** A new key with a recovery method, and what a finish says beside it. */
export function aSuccessor(id: string, previousFingerprint: string) {
  return {
    id,
    previousFingerprint,
    clientKey: { ...anEnvelope().clientKey, wraps: [aPassphraseWrap()] },
    keyRing: aKeyRing(),
    wordsKept: false,
  };
}

export const resealedMemory = ({ id, version, title, encryptedContent, details }: Memory): ResealedEntry => ({
  kind: 'memory',
  id,
  version,
  title: anew(title),
  encryptedContent: anew(encryptedContent ?? ''),
  details: details && anew(details),
});

/** Every memory that may be fetched, over all pages. */
export async function fetchMemories(send: Sender): Promise<Memory[]> {
  const memories: Memory[] = [];
  let next: string | undefined = '/api/memory-entries?limit=500';
  while (next) {
    const response: Response = await send('GET', next);
    memories.push(...((await response.json()) as Memory[]));
    next = /^<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return memories;
}

export async function begin(send: Sender, fingerprint: string): Promise<string> {
  const response = await send('POST', REGENERATION, { fingerprint });
  return ((await response.json()) as { id: string }).id;
}

export const stage = (send: Sender, id: string, entries: ResealedEntry[], left: LeftEntry[] = []) =>
  send('PUT', REGENERATION, { id, entries, left });

/** Seals every memory anew that may be fetched, and stages them in batches. */
export async function stageMemories(send: Sender, id: string): Promise<number> {
  const readable = (await fetchMemories(send)).filter(({ encryptedContent }) => encryptedContent !== null);
  for (let from = 0; from < readable.length; from += 500) {
    const batch = readable.slice(from, from + 500).map(resealedMemory);
    const response = await stage(send, id, batch);
    if (response.status !== 204) throw new Error(`staging answered ${response.status}`);
  }
  return readable.length;
}
