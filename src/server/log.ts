// The log. Of an error it keeps what tells where it happened, and drops what could tell about whom: whatever it
// carries beside (PostgreSQL puts row values there), and messages that quote what they failed on.
import pino, { type Logger } from 'pino';

const REDACTED = ['*.password', '*.token', '*.secret', '*.authKey', '*.cookie', '*.authorization'];

/** Parsers and PostgreSQL quote the text that they could not take. */
function quotesInput(error: Error): boolean {
  return error instanceof SyntaxError || 'severity' in error;
}

function plainError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const { name, cause } = error;
  const code = (error as { code?: unknown }).code;
  const message = quotesInput(error) ? 'withheld: it may quote what was sent' : error.message;
  // A stack begins with the message; only its places are kept.
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name,
    message,
    code,
    stack: places.join('\n'),
    ...(cause instanceof Error ? { cause: plainError(cause) } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(plainError) } : {}),
  };
}

/** What waits for a disk that takes no lines, in bytes; what comes beyond that is dropped. */
const WAITING_MAX = 1_000_000;

/** Standard output, which may be a file on a full disk: lines wait or are lost, and the server goes on. */
function standardOutput() {
  const lines = pino.destination({ dest: 1, sync: false, maxLength: WAITING_MAX });
  const { flushSync } = lines;
  lines.on('error', () => {
    // It would try for ever when the process ends.
    lines.flushSync = () => {};
  });
  lines.on('write', () => {
    lines.flushSync = flushSync;
  });
  return lines;
}

/** @param write where lines go; standard output unless told */
export function createLog(level: string, write?: { write(line: string): void }): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: plainError },
      hooks: {
        // Without words of its own a line would take the error's message for them.
        logMethod(words, write) {
          if (words.length === 1 && typeof words[0] === 'object') write.call(this, words[0], '');
          else write.apply(this, words);
        },
      },
    },
    write ?? standardOutput(),
  );
}
