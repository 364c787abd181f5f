// Everything that this browser may fetch of a vault and can open, ready to be sealed under another key. What it cannot
// open is named, never silently passed over.
import { account } from '../../../shared/account.ts';
import { legacyScrolls } from '../../../shared/legacy.ts';
import type { LeftEntry, ResealedEntry } from '../../../shared/regeneration.ts';
import { shareableKeys } from '../../../shared/sacred-key.ts';
import { PAGE_MAX } from '../../../shared/wire.ts';
import { send, sendForPage } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import { loadCollection } from '../collections/collection.ts';
import type { Kind, Noun } from '../collections/kind.ts';
import { memoryKind } from '../collections/memories.ts';
import { relationshipKind } from '../collections/relationships.ts';
import { resealed } from '../collections/resealing.ts';
import { openFields, sealFields } from '../fields.ts';
import type { OpenVault } from '../vault-context.ts';

/** One entry that was opened. */
export interface Opened {
  entry: LeftEntry;
  /** Which version of it: the same again is the same text. */
  stamp: string;
  /** Seals it under the key of another vault; its seal number stays. @throws SealError */
  reseal(next: OpenVault): Promise<ResealedEntry>;
}

export interface Gathered {
  opened: Opened[];
  /** What was fetched and does not open. */
  left: LeftEntry[];
}

/** Fetches everything anew and opens it. @throws ApiError, TypeError */
export async function gather(vault: OpenVault): Promise<Gathered> {
  const parts = await Promise.all([
    gatherEntries(memoryKind, vault),
    gatherEntries(relationshipKind, vault),
    gatherAnswers(vault),
    gatherSecrets(vault),
    gatherScrolls(vault),
  ]);
  return {
    opened: parts.flatMap(({ opened }) => opened),
    left: parts.flatMap(({ left }) => left),
  };
}

async function gatherEntries<N extends Noun>(kind: Kind<N>, vault: OpenVault): Promise<Gathered> {
  const entries = (await loadCollection(kind, vault)).filter(({ withheld }) => !withheld);
  const whole = ({ name, content }: N['entry']) => name !== null && content !== null;
  return {
    opened: entries.filter(whole).map((entry) => ({
      entry: { kind: kind.noun, id: entry.id },
      stamp: String(entry.version),
      reseal: (next) => resealed(kind, entry, next),
    })),
    left: entries.filter((entry) => !whole(entry)).map(({ id }) => ({ kind: kind.noun, id })),
  };
}

async function gatherAnswers(vault: OpenVault): Promise<Gathered> {
  const row = await send(account.answers, {});
  if (!row) return { opened: [], left: [] };
  const { question1, question2, question3 } = row;
  const texts = await openFields('onboarding', row, { question1, question2, question3 }, vault);
  const entry = { kind: 'onboarding', id: null } as const;
  if (!texts) return { opened: [], left: [entry] };
  const reseal = async (next: OpenVault) => ({
    kind: 'onboarding' as const,
    ...(await sealFields('onboarding', row.sealId, texts, next)),
  });
  return { opened: [{ entry, stamp: question1, reseal }], left: [] };
}

const linksFrom = (before: number | undefined) =>
  sendForPage(shareableKeys.list, { query: { limit: PAGE_MAX, before } });

/** The secrets of one-time links, by which their owner can copy a link again. */
async function gatherSecrets(vault: OpenVault): Promise<Gathered> {
  const gathered: Gathered = { opened: [], left: [] };
  for (const row of await everyPage(linksFrom)) {
    const { id, encryptedSecret } = row;
    if (encryptedSecret === null) continue;
    const entry = { kind: 'sacred-key', id } as const;
    const texts = await openFields('sacred-key', row, { encryptedSecret }, vault);
    if (!texts) {
      gathered.left.push(entry);
      continue;
    }
    const reseal = async (next: OpenVault) => ({
      ...entry,
      ...(await sealFields('sacred-key', row.sealId, texts, next)),
    });
    gathered.opened.push({ entry, stamp: encryptedSecret, reseal });
  }
  return gathered;
}

const scrollsFrom = (before: number | undefined) =>
  sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } });

/** The titles and keys of legacy scrolls. Their letters are sealed under those keys, which stay. */
async function gatherScrolls(vault: OpenVault): Promise<Gathered> {
  const gathered: Gathered = { opened: [], left: [] };
  for (const row of await everyPage(scrollsFrom)) {
    const { id, version, title, encryptedScrollKey } = row;
    if (encryptedScrollKey === null) continue;
    const entry = { kind: 'legacy-scroll', id } as const;
    const texts = await openFields('legacy-scroll', row, { title, encryptedScrollKey }, vault);
    if (!texts) {
      gathered.left.push(entry);
      continue;
    }
    const reseal = async (next: OpenVault) => ({
      ...entry,
      version,
      ...(await sealFields('legacy-scroll', row.sealId, texts, next)),
    });
    gathered.opened.push({ entry, stamp: `${version} ${title} ${encryptedScrollKey}`, reseal });
  }
  return gathered;
}
