// The one error that a client may see. It carries a code of the shared list and never what somebody sent.
import { type ErrorCode, errorCodes } from '../shared/http/error-codes.ts';
import { formatDuration, SECOND } from '../shared/time.ts';

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** In how many seconds the same request may be heard; null where waiting changes nothing. */
  readonly retryAfter: number | null;

  /** @param detail a sentence that replaces the code's own; it must not repeat a value that was sent */
  constructor(code: ErrorCode, detail?: string, retryAfter: number | null = null) {
    const [status, message] = errorCodes[code];
    super(detail ?? message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** For whoever was signed in when a request began, and whose account is gone since. */
export const accountGone = (): AppError => new AppError('not-signed-in');

/**
 * What answers `too-many`, always with the time to wait.
 * @param wait milliseconds
 * @param why what there was too much of, as a sentence
 */
export function tooMany(wait: number, why = 'Too many attempts.'): AppError {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new AppError(
    'too-many',
    `${why} Please try again in ${formatDuration(seconds * SECOND, 'second')}.`,
    seconds,
  );
}

/** What ends the work for a client that has left. It is answered to nobody. */
export const clientGone = (): AppError => tooMany(1000);

/** A sentence for whoever starts the server; main.ts prints it without a stack. */
export class StartProblem extends Error {}
