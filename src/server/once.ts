// Work that is done once for a process, when somebody first needs it.

/** Asks once, and again after a failure. Those who ask meanwhile wait for the same answer. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}
