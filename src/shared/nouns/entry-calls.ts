// The calls that every list of sealed entries has: for those that live, and for those that were deleted by hand, for as long
// as they can be restored. What one list is, its own noun says (memory.ts, relationship.ts, myth.ts).
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { pageQuery, timestamp } from '../http/wire.ts';
import { DAY } from '../time.ts';

/** The largest body that carries one entry, in bytes. */
export const ENTRY_BODY_LIMIT = 3 * 1024 * 1024;

/** Whoever brings an entry from elsewhere may say when it was first sealed; a moment to come counts as now. */
export const sealedAt = z.nullish(clear('when an entry was sealed', timestamp));

/**
 * The calls of one list.
 * @param name what the list is called in paths
 * @param entry an entry of it
 * @param input a new one, as it is sent
 * @param patch a change to one
 */
export function entryCalls<
  const Name extends string,
  Entry extends z.ZodMiniType,
  Input extends z.ZodMiniType,
  Patch extends z.ZodMiniType,
>(name: Name, { entry, input, patch }: { entry: Entry; input: Input; patch: Patch }) {
  const path = `/api/${name}` as const;
  const one = `${path}/{id}` as const;
  return {
    list: call({ method: 'GET', path, access: 'signed-in', query: pageQuery, reply: z.array(entry) }),
    get: call({ method: 'GET', path: one, access: 'signed-in', reply: entry }),
    create: call({
      method: 'POST',
      path,
      access: 'signed-in',
      inBook: true,
      status: 201,
      bodyLimit: ENTRY_BODY_LIMIT,
      body: input,
      reply: entry,
    }),
    update: call({
      method: 'PATCH',
      path: one,
      access: 'signed-in',
      inBook: true,
      bodyLimit: ENTRY_BODY_LIMIT,
      body: patch,
      reply: entry,
    }),
    remove: call({ method: 'DELETE', path: one, access: 'signed-in', inBook: true, status: 204 }),
  };
}

/** For how many days a deleted entry can be restored. */
export const DELETED_DAYS = 30;
/** The same in milliseconds. */
export const DELETED_LASTS = DELETED_DAYS * DAY;

/** What a deleted entry has besides what it had. */
const deletion = {
  deletedAt: clear('when an entry was deleted', timestamp),
  /** From then on it cannot be restored, and the sweep erases it. */
  erasedAt: clear('when a deleted entry is erased', timestamp),
};
export interface Deletion {
  deletedAt: string;
  erasedAt: string;
}

/** Both times are the server's word, but the one follows from the other. */
const isSoLate = ({ deletedAt, erasedAt }: Deletion) =>
  Date.parse(erasedAt) - Date.parse(deletedAt) === DELETED_LASTS;

/** An entry that was deleted and can be restored, as its list answers it. @param schema an entry of the list */
const deletedEntry = <Shape extends z.core.$ZodShape>(schema: z.ZodMiniObject<Shape>) =>
  z.extend(schema, deletion).check(z.refine((entry) => isSoLate(entry as Deletion)));

/** An entry of a list, or one that was deleted from it. @param schema an entry of the list */
export const entryOrDeleted = <Shape extends z.core.$ZodShape>(schema: z.ZodMiniObject<Shape>) =>
  z.union([deletedEntry(schema), schema]);

/**
 * The calls for what was deleted from one list.
 * @param name what the list is called in paths
 * @param schema an entry of it
 */
export function deletedCalls<const Name extends string, Shape extends z.core.$ZodShape>(
  name: Name,
  schema: z.ZodMiniObject<Shape>,
) {
  const path = `/api/deleted-${name}` as const;
  return {
    list: call({
      method: 'GET',
      path,
      access: 'signed-in',
      query: pageQuery,
      reply: z.array(deletedEntry(schema)),
    }),
    restore: call({
      method: 'POST',
      path: `${path}/{id}/restore`,
      access: 'signed-in',
      inBook: true,
      reply: schema,
    }),
    /** Erases it before its time. */
    erase: call({ method: 'DELETE', path: `${path}/{id}`, access: 'signed-in', inBook: true, status: 204 }),
  };
}
