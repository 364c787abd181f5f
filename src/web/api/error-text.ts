// What an unsuccessful answer says: its body, or the reason phrase of its status where the body is empty. HTTP/2 and HTTP/3
// send no phrase; the usual ones are fetched when one is missing.

/** The body's text; where it is empty, the status text; where a protocol has none, the usual one. */
export async function errorText(response: Response): Promise<string> {
  return (await response.text()) || response.statusText || (await usualPhrase(response.status));
}

/** Nothing where it is unknown, or cannot be had. */
async function usualPhrase(status: number): Promise<string> {
  const { reasonPhrases } = await import('./reason-phrases.ts').catch(() => ({ reasonPhrases: null }));
  return reasonPhrases?.[status] ?? '';
}
