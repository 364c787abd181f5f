// What this browser refuses by itself, where a server’s word is not enough.
import { ApiError, answerRefused } from '../api/api-error.ts';
import { Overtaken } from '../book/written.ts';
import { FRESH, type ListedVault, type RowList } from '../replica/row-list.ts';

/** A server that says of something that it is here already, and does not show it, does not have it. */
export const notShown = (): ApiError =>
  answerRefused('The server says that it has this already, and does not show it. It was not kept.');

/** A letter is not what it was to become, by the very answer. */
export const notTaken = (): ApiError =>
  answerRefused(
    'The server answered that this letter is not what it was to become. Look at its state in the list.',
  );

/**
 * @param list what would have the row with this seal number
 * @throws ApiError where it does not show it, also when it is asked for anew
 */
export async function assertShown<Row extends { sealId: string | null }>(
  vault: ListedVault,
  list: RowList<Row>,
  sealId: string,
): Promise<void> {
  const has = async (maxAge: number) =>
    (await vault.lists.load(list, maxAge)).some((row) => row.sealId === sealId);
  if (!(await has(FRESH)) && !(await has(0))) throw notShown();
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
