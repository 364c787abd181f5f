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
    gain: 'To have an export without an entry, or with one as it once was. The page, the dialog and the file’s README say that the list is not as the vault’s book has it; its signature does not.',
    places: [
      'memories.list ',
      'memories.list []',
      'memories.list [].title',
      'memories.list [].encryptedContent',
      'memories.list [].details',
      'memories.list [].version',
      'memories.list [].timeLockUntil',
      'memories.list [].sealId',
    ],
  },
  {
    gain: 'To show a browser that has seen nothing of a vault’s book an older one, or none. It asks whether that is the newest; another device, an archive or the printed sheet knows better.',
    places: ['book.list '],
  },
  {
    gain: 'To show nothing, or an older entry, as what was written elsewhere meanwhile, without its day and its tags, until the list is fetched again.',
    places: [
      'memories.get ',
      'memories.get encryptedContent',
      'memories.get details',
      'relationships.get ',
      'relationships.get encryptedContent',
      'relationships.get details',
      'relationships.get sealId',
      'relationships.get keyFingerprint',
      'myths.get ',
      'myths.get encryptedContent',
      'myths.get details',
      'myths.get sealId',
      'myths.get keyFingerprint',
    ],
  },
  {
    gain: 'To leave a thought out, or to show one in another’s place, so that the wrong one is read and counted.',
    places: ['ghosts.list ', 'ghosts.list []'],
  },
  {
    gain: 'To leave a link out of its owner’s list, so that it is not revoked.',
    places: ['shareableKeys.list ', 'shareableKeys.list []'],
  },
  {
    gain: 'To leave a scroll out of its author’s list, or to show it as it once was, so that they believe it watches or does not.',
    places: ['legacyScrolls.list ', 'legacyScrolls.list []'],
  },
  {
    gain: 'To leave a whisper out, or to show one as unopened, or in another’s place.',
    places: ['whispers.list '],
  },
  {
    gain: 'To make an entry unreadable, or to put it out of its address, so that it seems to be lost.',
    places: [
      'memories.list [].keyFingerprint',
      'relationships.list [].keyFingerprint',
      'relationships.update sealId',
      'myths.list [].keyFingerprint',
      'deletedMemories.list [].id',
      'deletedRelationships.list [].id',
    ],
  },
  {
    gain: 'To say that an entry is gone, or to answer with an older one, after it was sealed.',
    places: ['memories.update ', 'relationships.update ', 'myths.create ', 'myths.update '],
  },
  {
    gain: 'To show other numbers on the dashboard than there are entries.',
    places: [
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
    gain: 'To say that the switch of legacy scrolls works, or does not. It works by the server alone in any case.',
    places: ['theSwitch.get heldFor', 'switchOutlook.get mayGoOn'],
  },
  {
    gain: 'To show another name than the account has. Where a passphrase is asked for, the name that is used is shown.',
    places: ['account.user name'],
  },
  {
    gain: 'To say that there are more or fewer recovery methods than there are, so that their owner sets up none, or another.',
    places: ['account.user recoveryPasskeys', 'account.user recoveryPassphrase'],
  },
  {
    gain: 'To say who is signed in, and what is to be done first. It opens nothing that there is. A browser that has never seen the vault’s key cannot know whether there is one: where it is told that there is none, it asks before it makes one, and says what that means.',
    places: [
      'account.user onboardingComplete',
      'gate.passphraseEnter ',
      'gate.passphraseEnter id',
      'gate.passphraseEnter onboardingComplete',
      'gate.passphraseEnter name',
      'gate.passphraseEnter keyFingerprint',
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
      'ghosts.read maxReads',
      'ghosts.read currentReads',
      'ghosts.read expiresAt',
      'ghosts.create currentReads',
      'ghosts.create expiresAt',
    ],
  },
  {
    gain: 'To say that a thought is gone, when it was written, or to have another one read in its place.',
    places: [
      'ghosts.list [].id',
      'ghosts.list [].createdAt',
      'ghosts.read ',
      'ghosts.read createdAt',
      'ghosts.create createdAt',
    ],
  },
  {
    gain: 'To say that there is no breath, or when it was written. It burns by the server’s word in any case.',
    places: [
      'finalBreath.get ',
      'finalBreath.get createdAt',
      'finalBreath.create createdAt',
      'finalBreath.read ',
      'finalBreath.read sealId',
      'finalBreath.read keyFingerprint',
      'finalBreath.read encryptedContent',
    ],
  },
  {
    gain: 'To have a link listed as another kind, or for another time, than was asked for, or leading nowhere.',
    places: [
      'shareableKeys.create id',
      'shareableKeys.create keyId',
      'shareableKeys.seal ',
      'shareableKeys.seal id',
      'shareableKeys.seal keyId',
      'shareableKeys.seal entryType',
      'shareableKeys.seal entryId',
      'shareableKeys.seal hasBeenUsed',
      'shareableKeys.seal expiresAt',
      'shareableKeys.seal createdAt',
      'shareableKeys.seal openedAt',
      'shareableKeys.seal sealed',
      'shareableKeys.seal hasPassphrase',
      'shareableKeys.seal encryptedSecret',
      'shareableKeys.seal sealId',
      'shareableKeys.seal keyFingerprint',
    ],
  },
  {
    gain: 'To say that a link was opened or has expired when it was not, and the reverse; or to make it unreadable to its owner.',
    places: [
      'shareableKeys.list [].entryType',
      'shareableKeys.list [].hasBeenUsed',
      'shareableKeys.list [].expiresAt',
      'shareableKeys.list [].sealed',
      'shareableKeys.list [].hasPassphrase',
    ],
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
    gain: 'To show other recipients, or another way to the letter, than the author chose, so that a card is handed to the wrong person or leads nowhere.',
    places: [
      'legacyScrolls.list [].recipients[].recipientType',
      'legacyScrolls.list [].recipients[].recipientAddress',
      'legacyScrolls.list [].recipients[].tell',
      'legacyScrolls.list [].recipients[].access',
    ],
  },
  {
    gain: 'To say that a letter was delivered or opened when it was not, and the reverse.',
    places: [
      'legacyScrolls.list [].recipients',
      'legacyScrolls.list [].recipients[]',
      'legacyScrolls.list [].recipients[].releasedAt',
      'legacyScrolls.list [].recipients[].delivery',
      'legacyScrolls.list [].recipients[].delivery.state',
      'legacyScrolls.list [].recipients[].delivery.at',
    ],
  },
  {
    gain: 'To say that a scroll watches, was released or has time left when it has not, and the reverse. It is released by the server alone in any case.',
    places: [
      'legacyScrolls.list [].isActive',
      'legacyScrolls.list [].hasTriggered',
      'legacyScrolls.list [].releasedAt',
      'legacyScrolls.list [].lastActivity',
      'legacyScrolls.list [].remaining',
    ],
  },
  {
    gain: 'To show another trigger, or another name in the mails, than the author chose.',
    places: [
      'legacyScrolls.list [].authorName',
      'legacyScrolls.list [].triggerType',
      'legacyScrolls.list [].triggerValue',
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
    places: ['usage.get ', 'usage.get bytes', 'usage.get rows', 'usage.get rowsMax'],
  },
  {
    gain: 'To say that the three answers were never given, or when.',
    places: [
      'account.answers ',
      'account.answers question1',
      'account.answers question2',
      'account.answers question3',
      'account.answers sealId',
      'account.answers keyFingerprint',
    ],
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
      'importWebhooks.list [].keyFingerprint',
    ],
  },
  {
    gain: 'To name another model than the one that reads the words, which consent is asked for.',
    places: ['stories.writer engine'],
  },
  {
    gain: 'To show what was deleted as it is not: at another time, unreadable, or gone.',
    places: [
      'deletedMemories.list [].deletedAt',
      'deletedMemories.list [].erasedAt',
      'deletedRelationships.list [].deletedAt',
      'deletedRelationships.list [].erasedAt',
      'deletedMyths.list [].deletedAt',
      'deletedMyths.list [].erasedAt',
      'deletedMemories.restore ',
      'deletedRelationships.restore ',
      'deletedMyths.restore ',
    ],
  },
  {
    gain: 'Nothing but a refusal: the browser takes the link back that it has just reserved, since it would not last as long as was asked for.',
    places: ['shareableKeys.create expiresAt', 'shareableKeys.create createdAt'],
  },
];

/** What an operator gains by a lie at a place; null where nobody has said so. */
export function gainOf(call: string, path: string): string | null {
  return gains.find(({ places }) => places.includes(`${call} ${path}`))?.gain ?? null;
}
