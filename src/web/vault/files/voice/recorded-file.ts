// A file that was recorded in a form, with what is known of it.
import { toBase64Url } from '../../../../crypto/base64.ts';
import type { FileRef } from '../../../../vault/files/file-ref.ts';

export interface RecordedFile {
  file: File;
  seconds: number;
  /** When the whole recording began, in epoch milliseconds. */
  begunAt: number;
  recording: NonNullable<FileRef['recording']>;
}

/** A number by which the files of one recording know each other. */
export const newRecordingId = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
