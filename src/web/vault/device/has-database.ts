// Which databases this browser has.

/**
 * Whether a database of this name is here. Where the browser does not list them, as Firefox before 126, it is opened to see.
 * @throws where this browser does not show its storage
 */
export async function hasDatabase(name: string): Promise<boolean> {
  const all = await globalThis.indexedDB?.databases?.();
  return all?.some((one) => one.name === name) ?? (await import('./forgetting.ts')).isThere(name);
}
