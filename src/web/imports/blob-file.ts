// A file of a folder or a tar, which lies there unpacked: read like those of a zip, and within the same limits.
import { Refused } from './imported-entry.ts';
import type { ImportLimits, Used, ZipFile } from './zip-files.ts';

export function blobFile(path: string, content: Blob, used: Used, limits: ImportLimits): ZipFile {
  const take = (kind: keyof Used, most: number) => {
    if (content.size > most || used[kind] + content.size > limits[kind]) throw new Refused('too-large');
    used[kind] += content.size;
  };
  return {
    path,
    size: content.size,
    read: async () => {
      take('textBytes', limits.fileBytes);
      return new Uint8Array(await content.arrayBuffer());
    },
    readBlob: async () => {
      take('nestedBytes', limits.nestedBytes);
      return content;
    },
    open: async () => content,
  };
}
