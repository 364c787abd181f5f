// The account's activity in an export, and the export in the account's activity.
import { activity } from '../../../../shared/nouns/activity.ts';
import type { ApiClient } from '../../../../vault/api/api-client.ts';

export const ACTIVITY_FILE = 'activity.json';

/** @throws ApiError or TypeError when it cannot be fetched: half an export is none */
export async function activityText(api: ApiClient): Promise<string> {
  const rows = await api.send(activity.list, {});
  return `${JSON.stringify({ format: 'latebra/activity', v: 1, activity: rows }, null, 2)}\n`;
}

/** Tells the server that an export was made. The file is there whether or not that arrives. */
export async function noteExport(api: ApiClient): Promise<void> {
  await api.send(activity.noteExport, {}).catch(() => {});
}
