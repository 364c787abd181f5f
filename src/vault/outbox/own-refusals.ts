// What this browser refuses by itself, where a server’s word is not enough.
import { ApiError, answerRefused } from '../api/api-error.ts';
import { Overtaken } from '../book/written.ts';
import { FRESH, type ListedVault, type RowList } from '../replica/row-list.ts';

/** How often something is brought beside what has its number and does not open, before the server is not believed. */
export const BESIDE_MAX = 3;

/** A server that says of something that it is here already, and does not show it, does not have it. */
export const notShown = (): ApiError =>
  answerRefused('The server says that it has this already, and does not show it. It was not kept.');

/** An earlier try of a letter had arrived, and has gone on since: what it names of this one's files stays with it. */
export class EarlierWentOn extends Error {
  /** The numbers of those files. */
  readonly staying: readonly string[];
  constructor(staying: readonly string[]) {
    super('an earlier try went on');
    this.staying = staying;
  }
}

/** A letter is not what it was to become, by the very answer. */
export const notTaken = (): ApiError =>
  answerRefused(
    'The server answered that this letter is not what it was to become. Look at its state in the list.',
  );

/** A letter that is to end may be kept by sisters, which nobody could tell afterwards. No answer of a server makes one of these. */
export class StillKept extends ApiError {
  /** @param message a sentence for people */
  constructor(message: string) {
    super(502, JSON.stringify({ code: 'answer-refused', message }));
  }
}

/**
 * The row with this seal number, where the server says that it is here already.
 * @param list what would have it
 * @throws ApiError where it is not shown, also when it is asked for anew
 */
export async function findShown<Row extends { sealId: string | null }>(
  vault: ListedVault,
  list: RowList<Row>,
  sealId: string,
): Promise<Row> {
  const find = async (maxAge: number) =>
    (await vault.lists.load(list, maxAge)).find((row) => row.sealId === sealId);
  const row = (await find(FRESH)) ?? (await find(0));
  if (!row) throw notShown();
  return row;
}

/** The vault’s book has another change of what was changed here, whether the server says so or not. */
export const overtaken = (): ApiError =>
  new ApiError(
    409,
    JSON.stringify({
      code: 'stale-version',
      message:
        'Your vault’s book has another change of this, which is not what you changed. Nothing was sent. Reload the page and look at it, or see The Book.',
    }),
  );

/** For what a change in the book throws. @throws ApiError in the place of `Overtaken`, or else the very error */
export function refuseOvertaken(error: unknown): never {
  throw error instanceof Overtaken ? overtaken() : error;
}

/** Whether the server, or the way to it, is out of reach: what was to be sent can wait. An answer of its own is none of that. */
export const isOutOfReach = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.code === '' && error.status >= 502 && error.status <= 504
    : error instanceof TypeError;
