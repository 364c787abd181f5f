// What the lie machine does not try, each with the reason: calls that no journey makes, and places that no answer of a
// journey holds. A call or a place that is in neither list fails the test.

/** Why no journey makes a call. */
export const callsNotTried: Readonly<Record<string, string>> = {
  ...forAll(
    [
      'signUp.put',
      'invitations.list',
      'invitations.create',
      'invitations.revokeAll',
      'theSwitch.confirm',
      'theSwitch.vouch',
      'outbox.retry',
      'outbox.passedOn',
      'textPermissions.list',
      'textPermissions.find',
      'textPermissions.grant',
      'textPermissions.revoke',
      'whisperAudio.upload',
      'admin.claim',
      'administration.accounts',
      'administration.testMail',
      'administration.putNotice',
    ],
    'An administrator changes their own server by them, or text messages are sent. What is shown of it is tried by looking at it.',
  ),
  ...forAll(
    [
      'holders.verify',
      'holders.challenge',
      'linkedWallet.challenge',
      'linkedWallet.link',
      'linkedWallet.find',
    ],
    'They need a chain or a wallet. What a server says of a wallet’s vault is judged by the wallet’s signature (linked-vault.test.ts).',
  ),
  ...forAll(
    ['changes.list'],
    'A device that keeps its lists asks for it, and compares them with the book like any other. What it makes of a server that tells less than there was stands in web/vault/entries/kept-list.test.tsx.',
  ),
  ...forAll(
    ['rehearsals.ask', 'rehearsals.open'],
    'A rehearsal tells its author how far a recipient’s page came, which is the server’s word, and its recipient one sentence that opens under the letter’s own key alone (server/deadman/routes/scrolls/rehearsals.test.ts, web/chambers/legacy-scroll/rehearsal.test.tsx).',
  ),
  ...forAll(
    ['game.decode', 'game.verify', 'holders.artifact', 'instanceKey.get'],
    'They are the game’s. Nothing of a vault is in them.',
  ),
  ...forAll(
    ['billing.createIntent', 'billing.checkout', 'billing.portal', 'billing.exchange'],
    'They need a payment provider. A server can lead the page that pays to any address.',
  ),
  ...forAll(
    ['transcription.engine', 'transcription.transcribe', 'stories.generate', 'stories.draft'],
    'What a model or a recording’s hearer answers is the server’s word for it, and is read before it is kept.',
  ),
  ...forAll(
    [
      'account.loginInvited',
      'gate.passkeyBeginOptions',
      'gate.passkeyBegin',
      'gate.passkeyEnterOptions',
      'gate.passkeyEnter',
      'proof.passkeyOptions',
      'proof.passkey',
      'passkeys.options',
      'passkeys.add',
    ],
    'They need a sign-in provider or an authenticator, which binds what it signs to the origin.',
  ),
  ...forAll(
    [
      'gate.wordsNonce',
      'gate.wordsEnter',
      'proof.passphrase',
      'proof.wordsNonce',
      'proof.words',
      'passphrase.set',
      'passphrase.remove',
    ],
    'What they answer is who is signed in, or a number to be signed once; the journeys that enter and unlock try the former.',
  ),
  ...forAll(
    [
      'account.onboarding',
      'gate.passphraseBegin',
      'vaultKey.put',
      'vaultKey.addWrap',
      'vaultKey.keepWords',
      'regeneration.begin',
      'regeneration.finish',
    ],
    'They begin a vault or replace its key, once. What is believed of a key is tried by unlocking (and in rollback.test.ts).',
  ),
  ...forAll(
    ['secondWarning.get', 'secondWarning.put', 'trustedContact.get', 'trustedContact.put'],
    'They show who else is written to, which the server alone acts on. As with the first warning address, it can say that this is another person, or that a message was sent or not.',
  ),
  ...forAll(
    ['administration.notice'],
    'It is the server’s own word to everybody, and is said to be its administrator’s. Nothing of a vault is in it.',
  ),
  ...forAll(
    ['sessions.leave'],
    'It ends a session, or says that it did: whoever lies there keeps what the server has in any case. To where a sign-in provider ends its own, a server can lead in any case (shell/key-and-sessions.test.tsx has what is refused).',
  ),
  ...forAll(
    ['files.get'],
    'It is asked for a file of a draft that comes back, and before such a file is erased: whoever lies there has it sent again, or kept for too long.',
  ),
  ...forAll(
    ['guardianKits.list', 'guardianKits.create', 'guardianKits.ask'],
    'A kit that is hidden is missing in the book (testing/every-kind.test.tsx), one that is made up does not open, and other numbers than were sealed are told (vault/entries/changed.test.ts). That somebody asks, has been stopped or was given the key is the server’s word, and what it gives opens under the sheets’ secret or not at all (chambers/sheets/ask-for-vault.test.tsx).',
  ),
  ...forAll(
    [
      'sisters.list',
      'sisters.identity',
      'sisters.keep',
      'sisters.challenge',
      'sisters.sign',
      'sisters.share',
      'sisters.open',
      'sisters.joined',
      'sisters.kept',
      'sisters.endAll',
    ],
    'No server of the journeys is joined with others. Keys that are not those of a compared address are sealed to by nobody, a sister that keeps something else is told by its digest, and shares that lie open nothing (crypto/sister-letter.test.ts, vault/legacy/sisters.test.ts); a home that names instances of its own is what authors compare addresses for, and what else it can try stands above (chambers/legacy-scroll/sisters.test.tsx).',
  ),
  ...forAll(['instance.health', 'instance.ready'], 'Browsers do not ask for them.'),
};

function forAll(calls: readonly string[], why: string): Record<string, string> {
  return Object.fromEntries(calls.map((call) => [call, why]));
}

/** Places beneath one of an answer. */
function beneath(place: string, names: string, why: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [`${place}${name}`, why]));
}

const TIME = 'It is there only after days of a watch, which the journeys do not wait for.';
const REHEARSED = 'No journey has a letter rehearsed.';
const DELIVERED = 'No program delivers anything.';
const AUTHENTICATOR = 'It needs an authenticator.';

/** What a scroll has only later in its life. */
const laterOf = (scroll: string) => ({
  ...beneath(
    `${scroll}recipients[].rehearsal.`,
    'askedAt isOver seenAt keylessAt wrongTries openedAt delivery delivery.state delivery.at delivery.attempts delivery.why delivery.nextTryAt',
    REHEARSED,
  ),
  ...beneath(`${scroll}recipients[].reminder.`, 'times at state why', TIME),
  ...beneath(`${scroll}warned.`, 'at state why', TIME),
});
/** What a scroll has once it was released. */
const deliveryOf = (scroll: string) =>
  beneath(
    `${scroll}recipients[].delivery.`,
    'state at attempts why nextTryAt',
    'A scroll that was not released has none.',
  );

/** Places of the answers of several calls about one scroll. */
const ofEach = (calls: readonly string[], places: (scroll: string) => Record<string, string>) =>
  Object.assign({}, ...calls.map((call) => places(`legacyScrolls.${call} `))) as Record<string, string>;

/** Why no answer of a journey holds something at a place, by the call and the path. */
export const placesNotHeld: Readonly<Record<string, string>> = {
  ...beneath('summary.get nearRelease.', 'scrolls remaining hold', TIME),
  ...beneath(
    'theSwitch.get paused.',
    'reason since goesOnIn',
    'The switch is paused by a restored database alone.',
  ),
  ...beneath(
    'theSwitch.get calendar.',
    'doubt says',
    'Nothing doubts the date of a machine that follows a time server.',
  ),
  ...beneath('switchOutlook.get uptime.', 'passed counted ran', TIME),
  ...laterOf('legacyScrolls.list [].'),
  ...beneath('legacy.state rehearsal.', 'openedAt', REHEARSED),
  ...ofEach(['activate', 'create', 'update', 'disarm', 'release'], laterOf),
  ...ofEach(['activate', 'create', 'update', 'disarm'], deliveryOf),
  ...ofEach(['activate', 'update', 'disarm', 'release'], (scroll) =>
    beneath(
      `${scroll}recipients[].envelope.`,
      'sealedKey senderRecipient senderVerifyingKey signature',
      'The scrolls that this is done with go to whoever holds a card.',
    ),
  ),
  ...beneath('importWebhooks.create lastRefusal.', 'at reason', DELIVERED),
  ...beneath('importWebhooks.rotate lastRefusal.', 'at reason', DELIVERED),
  ...beneath('importWebhooks.list [].lastRefusal.', 'at reason', DELIVERED),
  ...beneath('warningAddress.get request.', 'state why', 'No warning address was asked for.'),
  ...beneath(
    'vaultKey.get ',
    'clientKey.wraps[].params.credentialId keyRing.sealId keyRing.sealed',
    'It needs an authenticator, or a key that was replaced (rollback.test.ts, outside.test.ts).',
  ),
  ...beneath('passkeys.list []', '.id .label .opensVault .createdAt .lastUsedAt', AUTHENTICATOR),
  ...beneath(
    'billing.get ',
    'price.amount price.currency price.text subscription.status subscription.currentPeriodEnd subscription.cancelAt',
    'It needs a payment provider.',
  ),
  'passkeys.list []': AUTHENTICATOR,
  'files.complete missing[]': 'Nothing is missing of a whole file.',
  ...beneath(
    'serverNotices.get undeclaredProxies',
    '[] [].address [].since',
    'No proxy stands before the server of the journeys.',
  ),
};
