// Reads an answer of lines of JSON (application/x-ndjson) as it comes. What is wrong with it is told without its words.
import { cutOff } from '../../vault/api/api-error.ts';

/**
 * Tells each line when it is whole. Bytes may come in any pieces. Leaving the loop ends the answer.
 * @throws ApiError as of `cutOff` where a line is no JSON or no UTF-8, where the last one has no end, or where the connection
 *   fails; the signal's reason where whoever reads has ended it
 */
export async function* readLines(response: Response): AsyncGenerator<unknown, void, undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      const pieces = decoder.decode(value, { stream: true }).split('\n');
      pieces[0] = rest + pieces[0];
      rest = pieces.pop() ?? '';
      for (const piece of pieces) if (piece.trim() !== '') yield JSON.parse(piece);
    }
    decoder.decode();
  } catch (error) {
    throw isAbort(error) ? error : cutOff();
  } finally {
    // Nothing more is read, whether or not more would come.
    await reader?.cancel().catch(() => {});
  }
  if (rest.trim() !== '') throw cutOff();
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';
