// What a browser keeps of a form that is being written, as only its owner's key shows it.
import { waitFor } from '@testing-library/dom';
import { expect } from 'vitest';
import { open } from '../../crypto/seal.ts';
import type { Member } from './member.ts';

/** The drafts of this browser, opened, as JSON. */
async function draftsOf({ user, contentKey }: Member): Promise<string[]> {
  const start = `latebra.draft:${user.id}:`;
  const slots = Object.entries({ ...localStorage }).filter(([slot]) => slot.startsWith(start));
  return Promise.all(
    slots.map(([slot, kept]) => {
      const [sealId = '', sealed = ''] = kept.split('.');
      return open(sealed, contentKey, { kind: 'draft', field: slot.slice(start.length), sealId });
    }),
  );
}

/**
 * Waits until the one draft of this browser says all of this. It is kept a moment after each change: whoever reloads
 * sooner gets one of before.
 */
export const expectDraft = (member: Member, ...parts: string[]) =>
  waitFor(async () => {
    const drafts = await draftsOf(member);
    expect(drafts).toHaveLength(1);
    for (const part of parts) expect(drafts[0]).toContain(part);
  });
