// Whom this server is to write to: what it answers to that has to be what was sent, or a person would take a wrong address for
// their own choice.
import { answerRefused } from '../../../vault/api/api-error.ts';

/** What stands there afterwards only the server knows. */
export const notAsSent = () =>
  answerRefused(
    'The server answered with another address or name than was sent. Whether yours was kept is not known: look again before you rely on it.',
  );

/** @throws ApiError where one of the values that were sent is answered as another one */
export function expectAsSent<T extends object>(sent: T, answered: { [K in keyof T]?: unknown }): void {
  for (const name of Object.keys(sent) as (keyof T)[]) if (answered[name] !== sent[name]) throw notAsSent();
}
