// Where the files that a part of the page shows are read: of the open vault, or of what somebody has opened without one.
import { createContext, useContext } from 'react';
import type { FileSource } from '../../../vault/files/file-source.ts';

export const FileSources = createContext<FileSource | null>(null);

/** Only within `FileSources`. */
export function useFileSource(): FileSource {
  const source = useContext(FileSources);
  if (!source) throw new Error('useFileSource is used outside FileSources');
  return source;
}
