import type { UploadProgress } from '../../../vault/files/upload.ts';

/**
 * How far one file is. `lost`: the page was left since it was chosen, so that it has to be chosen again. `gone`: the server had
 * all of it and does not have it now, and it has to be chosen again.
 */
export type UploadState =
  | { is: 'waiting' | 'paused' | 'lost' | 'gone' }
  | { is: 'underway'; progress: UploadProgress | null }
  | { is: 'failed'; why: string; error: unknown };
