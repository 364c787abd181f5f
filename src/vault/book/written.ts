// What a change does to the rows of a vault, as whoever makes it says it.
import type { KindName } from '../../shared/sealed-kinds.ts';

/** A row as it is sent: its sealed fields by their names, and when it expires, if it does. */
export interface WrittenRow {
  kind: KindName;
  sealId: string | null;
  /** A field that is absent stays as it is. */
  sealed: object;
  /** The leaf of what it is made from: where the book had that before what it has now, nothing is sent. */
  over?: string | undefined;
  /** Its version from then on, where it has versions. */
  version?: number;
}

/** Which of the versions of a row it is: one that is sealed anew under another key keeps its number. */
export interface RowVersion {
  n: number;
  keyFingerprint: string | null;
}

/** A row that is there already, as it was shown. */
export interface KnownRow {
  kind: KindName;
  sealId: string | null;
  /** `leafOfRow` what was shown. */
  leaf: string;
}

/** What a change does to the rows of a vault. Those without a seal number are in no book. */
export interface Written {
  put?: readonly WrittenRow[];
  /** Sealed anew, by nobody's wish: what is not in the book is not taken in. */
  resealed?: readonly WrittenRow[];
  /** Can be restored for a while. */
  deleted?: readonly KnownRow[];
  restored?: readonly KnownRow[];
  removed?: readonly (string | null)[];
}

/** What a change was made from is not what the book has any more: it would be lost, if the server let that happen. */
export class Overtaken extends Error {
  /** Of what the book has. */
  readonly leaf: string;

  constructor(leaf: string) {
    super();
    this.leaf = leaf;
  }
}
