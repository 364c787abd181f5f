// Sends one file and tells how much of it has gone, which fetch cannot say. It never logs.
import * as z from 'zod/mini';
import { ACCOUNT_HEADER, type CallShape, type ReplyOf, type Upload } from '../../shared/http/call.ts';
import { ApiError } from '../../vault/api/api-error.ts';
import { formOf } from './client.ts';

interface UploadOptions {
  /** Whose account this page shows. */
  account: string;
  /** Told again and again what part of the file has gone, 0 to 1. */
  onProgress: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * Makes a call that takes a file.
 * @throws ApiError on a non-successful answer, TypeError when the server cannot be reached, AbortError when it was ended
 */
export function upload<const C extends CallShape & { upload: Upload }>(
  row: C,
  file: Blob,
  { account, onProgress, signal }: UploadOptions,
): Promise<ReplyOf<C>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(row.method, row.path);
    request.setRequestHeader(ACCOUNT_HEADER, account);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new TypeError('Failed to fetch'));
    request.onabort = () => reject(new DOMException('The upload was ended.', 'AbortError'));
    request.onload = () => {
      const { status, responseText } = request;
      if (status < 200 || status > 299) {
        reject(new ApiError(status, responseText || request.statusText));
        return;
      }
      try {
        resolve((row.reply ? z.parse(row.reply, JSON.parse(responseText)) : undefined) as ReplyOf<C>);
      } catch (error) {
        reject(error);
      }
    };
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(formOf(row.upload, file));
  });
}
