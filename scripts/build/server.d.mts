export function buildServer(outDir: string, more?: Record<string, string>): Promise<void>;
