// What every row of a vault says of its own seal, of every kind, without opening any.
import type { ApiClient } from '../api/api-client.ts';
import { everyRow } from '../book/shown-lists.ts';
import type { SealedBy } from '../keys/key-ring.ts';

/** @throws ApiError or TypeError when one of the lists cannot be fetched */
export async function listSeals(api: ApiClient): Promise<SealedBy[]> {
  return (await everyRow(api)).map(({ sealId, keyFingerprint }) => ({ sealId, keyFingerprint }));
}

/** Whether a text is 16 bytes in base64url, as every browser makes seal numbers. A ring has room for nothing else. */
export function isSealNumber(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9_-]{21}[AQgw]$/.test(text);
}
