// How a guardians' kit stands, in words. Pure.
import { ASKS_MAX } from '../../../../shared/nouns/guardian-kits.ts';
import { formatDuration } from '../../../../shared/time.ts';
import type { OpenedKit } from '../../../../vault/outbox/kit-writer.ts';
import type { BadgeVariant } from '../../../ui/badge.tsx';
import { formatDay } from '../../../ui/moments.ts';

/** Who opens the vault, and after how long. */
export const kitRule = ({ needed, count, waitDays }: Pick<OpenedKit, 'needed' | 'count' | 'waitDays'>) =>
  `${needed} of ${count} sheets open your vault, ${waitDays} days after they ask.`;

/** @param fingerprint of the vault's present key */
export function kitState(kit: OpenedKit, fingerprint: string): { variant: BadgeVariant; says: string } {
  if (kit.changed) return { variant: 'danger', says: 'Shown otherwise than you made it' };
  if (kit.details === null) return { variant: 'danger', says: 'Unreadable with this key' };
  if (kit.keyFingerprint !== fingerprint)
    return { variant: 'danger', says: 'Made for an earlier key: it opens nothing' };
  if (kit.asked?.isOver) return { variant: 'danger', says: 'Its guardians can open your vault now' };
  if (kit.asked)
    return {
      variant: 'danger',
      says: `Asked for on ${formatDay(kit.asked.at)}, opens in about ${formatDuration(kit.asked.remaining)}`,
    };
  if (kit.asks >= ASKS_MAX)
    return { variant: 'danger', says: `Asked for ${ASKS_MAX} times: nobody can ask by it any more` };
  return { variant: 'open', says: kit.asks === 0 ? 'Nobody has asked' : 'Nobody asks now' };
}

/** What has happened with it before; null for nothing. */
export function kitPast({ asks, stoppedAt, openedAt }: OpenedKit): string | null {
  if (asks === 0) return null;
  const times = asks === 1 ? 'once' : `${asks} times, of ${ASKS_MAX} that are possible`;
  return [
    `It was asked for ${times}.`,
    stoppedAt !== null && `You were active on ${formatDay(stoppedAt)}, which stopped it.`,
    openedAt !== null && `On ${formatDay(openedAt)} its guardians were given what opens your vault.`,
  ]
    .filter(Boolean)
    .join(' ');
}
