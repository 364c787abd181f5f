export function findChromium(): string | null;
export function findLightChromium(): string | null;
export function findFirefox(): string | null;
export function findWebKit(): { driver: string; browser: string; screen: string } | null;
export function findPdfToText(): string | null;
export function findCompiler(): string | null;
