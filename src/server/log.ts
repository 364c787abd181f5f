// The log. What an error carries beside its name, message and stack (PostgreSQL puts row values there) is dropped.
import pino, { type Logger } from 'pino';

const REDACTED = ['*.password', '*.token', '*.secret', '*.authKey', '*.cookie', '*.authorization'];

function plainError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return { name, message, code, stack, ...(cause instanceof Error ? { cause: plainError(cause) } : {}) };
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
    },
    write ?? pino.destination({ dest: 1, sync: false }),
  );
}
