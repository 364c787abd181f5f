// A server that can be killed: its database and its transports stop answering at a chosen point, as a process that has
// lost its power does. An open transaction rolls back, and nothing that follows is done.
import { type KyselyPlugin, type RootOperationNode, TableNode } from 'kysely';

/** The server was killed here. */
export class Killed extends Error {}

/** Where a server can die: before and after any statement, or at one of the places where it hurts most. */
export const fatalPoints = ['statement', 'releasing', 'handing', 'handed', 'finishing'] as const;
export type FatalPoint = (typeof fatalPoints)[number];

export interface Fuse {
  point: FatalPoint;
  /** How often the point is passed before. */
  left: number;
}

export class Mortal {
  dead = false;
  diedAt: FatalPoint | null = null;
  fuse: Fuse | null = null;

  /** Passes a point. @throws Killed */
  pass(point: FatalPoint): void {
    if (this.fuse?.point === point) {
      this.fuse.left -= 1;
      if (this.fuse.left < 0) this.die(point);
    }
    if (this.dead) throw new Killed();
  }

  die(point: FatalPoint | null = null): void {
    this.dead = true;
    this.diedAt = point;
  }
}

function tableOf(node: RootOperationNode): string | null {
  if (node.kind === 'InsertQueryNode') return node.into?.table.identifier.name ?? null;
  if (node.kind !== 'UpdateQueryNode' || !node.table || !TableNode.is(node.table)) return null;
  return node.table.table.identifier.name;
}

export function mortalPlugin(mortal: Mortal): KyselyPlugin {
  return {
    transformQuery({ node }) {
      mortal.pass('statement');
      if (node.kind === 'DeleteQueryNode') mortal.pass('finishing');
      const table = tableOf(node);
      if (table === 'messages' && node.kind === 'InsertQueryNode') mortal.pass('releasing');
      return node;
    },
    async transformResult({ result }) {
      mortal.pass('statement');
      return result;
    },
  };
}
