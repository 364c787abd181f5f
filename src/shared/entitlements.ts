// What an account may do besides what every account may, by what it holds or has paid for.

/**
 * - `holder`: a linked wallet holds at least one whole token.
 * - `rituals`: a linked wallet holds enough tokens for the sacred rituals, or this server watches no token.
 * - `enhanced`: the account has a paid subscription.
 */
export const entitlements = ['holder', 'rituals', 'enhanced'] as const;
export type Entitlement = (typeof entitlements)[number];

/** The error code of a call that an account lacks the entitlement for. */
export const missingEntitlement = {
  holder: 'holder-needed',
  rituals: 'rituals-needed',
  enhanced: 'enhanced-needed',
} as const satisfies Record<Entitlement, string>;
