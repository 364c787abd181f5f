/** Bundles a program of the server's sources and loads it: its exports. */
export function runBundled<Exports>(entry: string): Promise<Exports>;
