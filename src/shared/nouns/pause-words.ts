// Why the dead man's switch of this server is paused, in words.
import type { PauseReason } from './switch-state.ts';

/** What has happened, and what its administrator should look at before confirming. */
export const pauseWords: Record<PauseReason, { what: string; check: string }> = {
  restored: {
    what: 'The database and the journal that lies outside it disagree: an older database was brought back, or the whole folder was copied.',
    check:
      'Make sure that this is the newest backup there is, and that no other copy of this server is running. Activity since then is not known here, so every countdown begins anew; and what was released since is released once more, in the same message.',
  },
  'another-key': {
    what: 'The database belongs to a server with another secret key: it was copied here, or the key was replaced.',
    check:
      'If the server that it came from still runs, do not confirm: both would warn and release the same letters. Confirm only where this is the one that goes on.',
  },
  moved: {
    what: 'The address of this server (PUBLIC_URL) is not the one by which its database was reached before: the server was moved to another address, or it is a copy of one that still runs.',
    check:
      'If the server at the former address still runs, do not confirm: both would warn and release the same letters. Confirm only where this is the one that goes on.',
  },
  'journal-missing': {
    what: 'The journal that lies outside the database is gone. Backups leave it out, so this is what a restored server looks like.',
    check:
      'Make sure that no newer database than this one exists, and that no other copy of this server is running. If this was restored from a backup, activity since then is not known here, and what was released since is released once more, in the same message.',
  },
};
