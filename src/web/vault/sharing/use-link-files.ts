// The files of a one-time link in its form: those of the entry, and those that are added for the link alone. No draft is kept of
// a link: a form that is closed gives them up, and each form that is opened begins with new numbers and keys.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { LinkFiles } from '../../../vault/outbox/files-of-link.ts';
import { type DraftFiles, type FormFiles, NO_FILES, refsOf } from '../files/draft-files.ts';
import { stillOnTheirWay } from '../files/files-waited-for.ts';
import { useVault } from '../session/vault-context.ts';

export function useLinkFiles() {
  const vault = useVault();
  const [along, setAlong] = useState(true);
  const [value, setValue] = useState<DraftFiles>(NO_FILES);
  /** A link has them, or may have them: whoever sent it was not told. */
  const isGiven = useRef(false);

  const isClosed = useRef(false);
  const added = useRef(value.added);
  added.current = value.added;

  /** They are this form's alone: those that were given to a link which was not made go as well. */
  async function giveUp() {
    if (isGiven.current || added.current.length === 0) return;
    const { eraseFiles } = await import('../../../vault/files/file-calls.ts');
    await eraseFiles(
      vault,
      added.current.map(({ id }) => id),
    );
  }
  const close = useEffectEvent(() => {
    isClosed.current = true;
    void giveUp();
  });
  useEffect(() => {
    isClosed.current = false;
    return () => close();
  }, []);

  const form: FormFiles = { value, details: null, update: setValue, keep: async () => true };
  return {
    along,
    setAlong,
    form,
    waiting: stillOnTheirWay(value),
    /** What a link is to carry that is made now. */
    take(): LinkFiles {
      isGiven.current = true;
      return { along, added: refsOf(value) };
    },
    /** No link was made, which was said: the form has its files still, if it is open. */
    takeBack(): void {
      isGiven.current = false;
      if (isClosed.current) void giveUp();
    },
  };
}

export type LinkFilesForm = ReturnType<typeof useLinkFiles>;
