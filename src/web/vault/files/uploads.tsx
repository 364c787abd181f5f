// Sends the files of a form for as long as it stands open. It shows nothing: the form's rows do.
import { useEffect, useEffectEvent, useState } from 'react';
import { useVault } from '../session/vault-context.ts';
import type { FormFiles } from './draft-files.ts';
import { UploadQueue } from './upload-queue.ts';

export interface UploadsProps {
  files: FormFiles;
  /** As `removePlaceByDefault` of the field. */
  removesPlace: boolean;
  /** Is given what sends them, the same for as long as this is there. */
  onReady: (queue: UploadQueue) => void;
}

export default function Uploads({ files, removesPlace, onReady }: UploadsProps) {
  const { value, details, update, keep } = files;
  const vault = useVault();
  const form = { vault, update, keep };
  const [queue] = useState(() => new UploadQueue(form, removesPlace));
  const { added } = value;
  const sync = useEffectEvent(() => queue.sync(form, added));
  const tell = useEffectEvent(() => onReady(queue));
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each change of the files, and not of the words
  useEffect(() => sync(), [added, details]);
  useEffect(() => {
    tell();
    return () => queue.end();
  }, [queue]);
  return null;
}
