// Words that were begun on the dashboard, on their way to the form of a memory. They go through this page's memory, which a
// lock empties: an address or the browser's history would keep them in the clear.
import type { OpenVault } from '../session/vault-context.ts';

/** The name under which what stands in the dashboard's line is kept as a draft. */
export const LINE_DRAFT = 'line';

/** What the words are kept by. */
export const begunKey = ({ user, fingerprint }: OpenVault) => ['opened', 'begun', user.id, fingerprint];

export interface Begun {
  words: string;
  /** The draft that they were kept as until then; null for none. */
  slot: string | null;
}

/** Hands words over to the next form of a new memory. */
export const handOver = (vault: OpenVault, begun: Begun) =>
  vault.queryClient.setQueryData(begunKey(vault), begun);
