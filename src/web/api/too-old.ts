// What becomes of a write by an app that is older than the contract of its server (app-state.ts).
import { ApiError } from '../../vault/api/api-error.ts';

/** What such a write throws: nothing was sent. */
export const tooOld = (): ApiError =>
  new ApiError(
    426,
    JSON.stringify({
      code: 'app-too-old',
      message: 'This page is older than its server, and nothing was sent. Reload it to go on writing.',
    }),
  );
