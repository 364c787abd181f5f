// Making a one-time link from a form of its own. It holds no words, so that it may always be left while the server hangs.
import { useState } from 'react';
import type { LinkRequest } from '../../../vault/outbox/link-writer.ts';
import { useSlow } from '../../hooks/use-slow.ts';
import { toast } from '../../ui/toaster.tsx';
import { useVault } from '../session/vault-context.ts';
import { type HandedLink, handOverLink } from './hand-over-link.ts';
import { useLinkFiles } from './use-link-files.ts';
import { useLinkOptions } from './use-link-options.ts';

/** What is said once such a form may be left. */
export const LINK_MAY_WAIT =
  'You may leave this form: your entry stays as it is, sealed. If the link is made after all, you are told, and it stands under Sacred Keys.';

export function useMakeLink() {
  const vault = useVault();
  const options = useLinkOptions();
  const files = useLinkFiles();
  const slow = useSlow(async () => true);
  const [busy, setBusy] = useState(false);

  return {
    options,
    files,
    busy,
    isSlow: slow.isSlow,

    /** @returns null where none was made, which was said, or where the form was left meanwhile */
    async make(
      request: Pick<LinkRequest, 'entryId' | 'words'>,
      say?: (failure: string) => void,
    ): Promise<HandedLink | null> {
      if (files.waiting > 0) return null;
      setBusy(true);
      const given = await options.read();
      const made =
        given &&
        (await slow.watch(() => handOverLink(vault, { ...given, ...request, files: files.take() }, say)));
      if (!made) files.takeBack();
      setBusy(false);
      if (!made || !slow.isLeft()) return made;
      toast({ title: 'The link was made after all', description: 'It stands under Sacred Keys.' });
      return null;
    },
  };
}
