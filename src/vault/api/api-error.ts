// How a call fails, and what a person is told of it.
import type { ErrorCode } from '../../shared/http/error-codes.ts';

/** A non-successful answer. `message` is `status: body text`; `sentence` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  /** In how many seconds trying again can help, if the server says so. */
  readonly retryAfter: number | null;

  constructor(status: number, text: string, retryAfter: string | null = null) {
    super(`${status}: ${text}`);
    this.status = status;
    this.retryAfter = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
    const { code, message } = parseProblem(text);
    /** One of `error-codes.ts`; empty when somebody else answered, such as a proxy. */
    this.code = code;
    // What is not ours (a proxy's page, say) is not for people.
    this.sentence = message ?? 'The server is out of reach just now. Please try again.';
  }
}

/** What an answer throws that ended, or became something else, before it was whole. */
export const cutOff = (): ApiError =>
  new ApiError(
    502,
    JSON.stringify({
      code: 'cut-off',
      message: 'The connection was cut before the whole answer had arrived. Please try again.',
    }),
  );

/**
 * What an answer throws that cannot be about what was asked, like one that was cut off: what was sent may have arrived.
 * @param message a sentence for people
 */
export const answerRefused = (message: string): ApiError =>
  new ApiError(502, JSON.stringify({ code: 'answer-refused', message }));

function parseProblem(text: string): { code: string; message?: string } {
  try {
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
    if (typeof code !== 'string' || !/^[a-z-]+$/.test(code)) return { code: '' };
    return { code, ...(typeof message === 'string' ? { message: asSentence(message) } : {}) };
  } catch {
    return { code: '' };
  }
}

/** In characters. The longest sentence of ours has fewer. */
const SENTENCE_MAX = 300;

/** What a server says stands on the page as the page's own words: it shall be short, and turn no text around. */
const asSentence = (message: string): string =>
  [...message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, SENTENCE_MAX).join('');

/** Whether the server itself refused, for one of these reasons. A proxy's 404, say, is not its word and decides nothing. */
export const refusedAs = (error: unknown, ...codes: ErrorCode[]): boolean =>
  error instanceof ApiError && (codes as string[]).includes(error.code);

/** Whether what was sent may have arrived although no word of the server says so: silence, a fault, a proxy's page. */
export const answerIsLost = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || error.code === ''
    : error instanceof TypeError || error instanceof SyntaxError;

/** Whether nobody has answered at all: there is no connection, or a proxy says that the server behind it is away. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.code === '' && error.status >= 502 && error.status <= 504
    : error instanceof TypeError;

/** What a person is told about any error that a call can throw. */
export function sentenceOf(error: unknown): string {
  // What was written stays where it stands; the session that another tab begins is this one's too.
  if (refusedAs(error, 'not-signed-in'))
    return 'Your session has ended. Sign in again in another tab, then try again here.';
  if (error instanceof ApiError) return error.sentence;
  if (error instanceof TypeError)
    return 'The server could not be reached. Check your connection and try again.';
  return 'Something went wrong. Please try again.';
}
