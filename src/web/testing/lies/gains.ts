// What an operator gains by each lie that browsers believe, written by hand for every place where one is believed. The record
// of all lies (verdicts.json) is compared with it both ways: a place without a sentence fails, and so does a sentence for a
// place where nothing is believed any more.

export interface Gain {
  gain: string;
  /** A call and a path each. */
  places: readonly string[];
}

export const gains: readonly Gain[] = [
  {
    gain: 'To have no export made, by the words that nothing is there.',
    places: ['memories.list '],
  },
  {
    gain: 'To show a browser that has seen nothing of a vault’s book an older one, or none. It asks whether that is the newest; another device, an archive or the printed sheet knows better.',
    places: ['book.list '],
  },
  {
    gain: 'To have another thought read and counted in the place of one that is left out. That it is left out is said.',
    places: ['ghosts.list '],
  },
  {
    gain: 'To show when the author was last active as it once was. A scroll that is left out, or whose words are older, is missed.',
    places: ['legacyScrolls.list ', 'legacyScrolls.list []'],
  },
  {
    gain: 'To leave a whisper out, or to have another one opened in its place, which its author can see, or to say when it was released and what opens it.',
    places: ['whispers.list '],
  },
  {
    gain: 'To put a moment that it makes unreadable in another place of its list. That it does not open is said.',
    places: ['relationships.list [].keyFingerprint', 'relationships.update sealId'],
  },
  {
    gain: 'To say, where two devices have changed an entry, that it was deleted elsewhere. What was written stays in the form, and the entry is missed when its list comes.',
    places: ['memories.get ', 'relationships.get ', 'myths.get '],
  },
  {
    gain: 'To say that an entry is gone, or to answer with an older one, after it was sealed.',
    places: ['memories.update ', 'relationships.update ', 'myths.update '],
  },
  {
    gain: 'To show other numbers on the dashboard than there are entries, or none, and with them no reminder of a second recovery method.',
    places: [
      'summary.get ',
      'summary.get memories',
      'summary.get relationships',
      'summary.get myths',
      'summary.get ghosts',
      'summary.get legacyScrolls',
      'summary.get whispers',
      'summary.get shareableKeys',
    ],
  },
  {
    gain: 'To say that guardians ask for the vault, or were stopped, when that is not so. Their author looks at the kits, and may stop what nobody asked for.',
    places: ['summary.get kitsAsked', 'summary.get kitsStopped'],
  },
  {
    gain: 'To say that the switch of legacy scrolls works, or holds back, when it does not. Whoever believes it waits where they should write to the administrator, or hands over less than they would: it costs the author the letter. It works by the server alone in any case.',
    places: ['theSwitch.get heldFor', 'switchOutlook.get staysPaused', 'switchOutlook.get '],
  },
  {
    gain: 'To show another name than the account has. Where a passphrase is asked for, the name that is used is shown.',
    places: ['account.user name'],
  },
  {
    gain: 'To say that there are more or fewer recovery methods than there are, so that their owner sets up none, or another. No key leaves a browser for it that has seen none of them at work.',
    places: ['account.user recoveryPasskeys', 'account.user recoveryPassphrase'],
  },
  {
    gain: 'To say who is signed in, and what is to be done first. It opens nothing that there is. A browser that has never seen the vault’s key cannot know whether there is one: where it is told that there is none, it asks before it makes one, and says what that means.',
    places: [
      'account.user onboardingComplete',
      'gate.passphraseEnter ',
      'gate.passphraseEnter id',
      'gate.passphraseEnter onboardingComplete',
      'gate.passphraseEnter recoveryPasskeys',
      'gate.passphraseEnter recoveryPassphrase',
    ],
  },
  {
    gain: 'To show other limits than were chosen. The server alone counts the readings in any case.',
    places: [
      'ghosts.list [].maxReads',
      'ghosts.list [].currentReads',
      'ghosts.list [].expiresAt',
      'ghosts.read currentReads',
      'ghosts.create currentReads',
    ],
  },
  {
    gain: 'To say that a thought is gone, when it was written, or to have another one read in its place.',
    places: ['ghosts.list [].id', 'ghosts.list [].createdAt', 'ghosts.read ', 'ghosts.create createdAt'],
  },
  {
    gain: 'To say when a breath was written, or to have its release written down under a number that the book does not have: then the breath is missed.',
    places: ['finalBreath.get sealId', 'finalBreath.get createdAt', 'finalBreath.create createdAt'],
  },
  {
    gain: 'To have another link revoked in the place of one that could not be made, or one made that leads nowhere.',
    places: ['shareableKeys.create id', 'shareableKeys.create keyId'],
  },
  {
    gain: 'To say that a link was opened, or never became ready, when that is not so.',
    places: ['shareableKeys.list [].hasBeenUsed', 'shareableKeys.list [].sealed'],
  },
  {
    gain: 'To say that a one-time link was used, has expired or is not ready, so that its reader goes away.',
    places: ['shares.state ', 'shares.state state', 'shares.state stretching'],
  },
  {
    gain: 'To say that a link leads nowhere, or for how long it can be read again.',
    places: ['shares.redeem '],
  },
  {
    gain: 'To say that a letter was delivered or opened when it was not, and the reverse.',
    places: [
      'legacyScrolls.list [].recipients[].releasedAt',
      'legacyScrolls.list [].recipients[].delivery',
      'legacyScrolls.list [].recipients[].delivery.state',
      'legacyScrolls.list [].recipients[].delivery.at',
    ],
  },
  {
    gain: 'To say that a scroll watches, was released or has time left when it has not, and the reverse. It costs the author the letter: one that is believed to be armed is never sent, or one that is believed to be dormant is. The server alone releases it in any case, and the author’s page says of either state that the server says so.',
    places: [
      'legacyScrolls.list [].isActive',
      'legacyScrolls.list [].hasTriggered',
      'legacyScrolls.list [].releasedAt',
      'legacyScrolls.list [].lastActivity',
      'legacyScrolls.list [].remaining',
    ],
  },
  {
    gain: 'To show a scroll as it is not: unreadable, older, or in a server that sends no messages.',
    places: [
      'legacyScrolls.transports email',
      'legacyScrolls.activate ',
      'legacyScrolls.update ',
      'legacyScrolls.release ',
    ],
  },
  {
    gain: 'To say that a letter waits, or asks for another key than it does, so that its recipient goes away.',
    places: [
      'legacy.state ',
      'legacy.state state',
      'legacy.state access',
      'legacy.state stretching',
      'legacy.state stretching.salt',
    ],
  },
  {
    gain: 'To say that a letter leads nowhere, when it was released, or that somebody has opened it before.',
    places: ['legacy.open ', 'legacy.open releasedAt'],
  },
  {
    gain: 'To say when a whisper was released or whether it was opened, or to show that one cannot be read.',
    places: ['whispers.list [].publicId', 'whispers.list [].access', 'whispers.list [].releasedAt'],
  },
  {
    gain: 'To say that there is no such vault, so that the author hands over a key card instead.',
    places: ['vaults.find '],
  },
  {
    gain: 'To say that a recovery method is gone.',
    places: ['vaultKey.get clientKey.wraps'],
  },
  {
    gain: 'To turn somebody away, or to show another way in.',
    places: ['gate.passphraseSalt ', 'gate.passphraseSalt salt', 'signUp.get provider'],
  },
  {
    gain: 'To hide a session, a passkey or what happened in the account, or to make one up.',
    places: [
      'sessions.list ',
      'sessions.list []',
      'sessions.list [].current',
      'sessions.list [].signedInBy',
      'sessions.list [].device',
      'sessions.list [].createdAt',
      'sessions.list [].seenAt',
      'activity.list ',
      'activity.list [].kind',
      'activity.list [].way',
      'activity.list [].device',
      'activity.list [].count',
      'activity.list [].at',
    ],
  },
  {
    gain: 'To show other limits or another plan than the account has.',
    places: [
      'usage.get ',
      'usage.get bytes',
      'usage.get rows',
      'usage.get rowsMax',
      'billing.get plan (longer), and of billing.get checkout (longer)',
    ],
  },
  {
    gain: 'To say that the three answers were never given, or when.',
    places: ['account.answers '],
  },
  {
    gain: 'To say that warnings go to another address than was asked for, or that its confirmation link was sent, when it is not so.',
    places: [
      'warningAddress.put ',
      'warningAddress.put address',
      'warningAddress.put request',
      'warningAddress.put request.state',
    ],
  },
  {
    gain: 'To say that a mail’s link leads nowhere, was used, or asks for something else than it does. The server alone decides what counts as activity.',
    places: [
      'confirmations.look ',
      'confirmations.look kind',
      'confirmations.look state',
      'confirmations.press ',
      'confirmations.press kind',
    ],
  },
  {
    gain: 'To give a program an address or a secret by which nothing arrives, or another webhook’s. What it sends is readable by the server in any case.',
    places: [
      'importWebhooks.create ',
      'importWebhooks.create url',
      'importWebhooks.create secret',
      'importWebhooks.rotate ',
      'importWebhooks.rotate secret',
      'importWebhooks.list [].id',
    ],
  },
  {
    gain: 'To name another model than the one that reads the words, which consent is asked for, or none while its name does not come.',
    places: ['stories.writer ', 'stories.writer engine'],
  },
  {
    gain: 'To say that what was deleted is gone, where it is to be restored. The list of what was deleted, which is compared with the book, shows it all the same.',
    places: ['deletedMemories.restore ', 'deletedRelationships.restore ', 'deletedMyths.restore '],
  },
  {
    gain: 'To show administrators other messages, failed jobs or another mode of signing up than there are. Who looks after a server and who runs it are mostly one person; nothing of a vault is shown there. A switch that is said to work costs authors their letters, as above.',
    places: [
      'outbox.list ',
      'outbox.list [].kind',
      'outbox.list [].channel',
      'outbox.list [].address',
      'outbox.list [].state',
      'outbox.list [].createdAt',
      'outbox.list [].sentAt',
      'outbox.list [].byHand',
      'outbox.list [].body',
      'outbox.list [].scrollIds',
      'outbox.list [].scrollIds[]',
      'outbox.unopened recipients',
      'jobs.list ',
      'jobs.list [].kind',
      'jobs.list [].state',
      'theSwitch.get ',
      'signUp.settings mode',
      'signUp.settings byConfiguration',
    ],
  },
  {
    gain: 'To show another gathering than the chain has, as long as it agrees with itself. The chain is public: whoever doubts it reads there.',
    places: [
      'holders.check ',
      'holders.check threshold',
      'holders.check holders[].amount',
      'holders.check readAt',
      'holders.check isStale',
    ],
  },
  {
    gain: 'To keep the text of the Nexus from somebody whose wallet opens it, or to show another one. It is the server’s own text.',
    places: [
      'holders.nexus text',
      'linkedWallet.get ',
      'linkedWallet.get holding',
      'linkedWallet.get holding.hasRituals',
    ],
  },
];

/** What an operator gains by a lie at a place; null where nobody has said so. */
export function gainOf(call: string, path: string): string | null {
  return gains.find(({ places }) => places.includes(`${call} ${path}`))?.gain ?? null;
}
