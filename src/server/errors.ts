// The one error that a client may see. It carries a code of the shared list and never what somebody sent.
import { type ErrorCode, errorCodes } from '../shared/error-codes.ts';

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;

  /** @param detail a sentence that replaces the code's own; it must not repeat a value that was sent */
  constructor(code: ErrorCode, detail?: string) {
    const [status, message] = errorCodes[code];
    super(detail ?? message);
    this.code = code;
    this.status = status;
  }
}
