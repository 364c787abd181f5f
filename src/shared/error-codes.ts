// Every error that the API answers, once: its code, its status and the sentence that a person reads.
// A sentence never repeats what somebody typed and never says why an opening failed.

export const errorCodes = {
  'bad-request': [400, 'The request could not be understood.'],
  'invalid-input': [422, 'Something in this form is not as it should be.'],
  'raw-key-refused': [
    422,
    'That looks like a raw vault key. It must never leave the browser, so this server refuses it. Send the envelope described in docs/formats.md.',
  ],
  'not-signed-in': [401, 'You are not signed in.'],
  'wrong-passphrase': [401, 'That name and passphrase do not open anything here.'],
  'unknown-passkey': [401, 'This passkey is not known here.'],
  'unknown-words': [401, 'These twenty-four words do not open anything here.'],
  'ceremony-expired': [401, 'That took too long, or was already used. Please begin again.'],
  'proof-needed': [403, 'Please prove once more that it is you.'],
  'cross-site': [403, 'This request came from another site and was refused.'],
  'door-shut': [403, 'This house lets people in through its sign-in provider only.'],
  'not-admin': [403, 'Only the keeper of this house may do this.'],
  'wrong-token': [403, 'That set-up token is not valid, or was already used.'],
  'not-found': [404, 'There is nothing here.'],
  'other-account': [409, 'Another account has signed in to this browser meanwhile. Reload before you go on.'],
  'name-taken': [409, 'That name is already in use here.'],
  'already-onboarded': [409, 'The three questions have already been answered.'],
  'key-changed': [
    409,
    'The vault key was changed elsewhere. Keep a copy of what you have written, then reload.',
  ],
  'seal-reused': [409, 'Another entry already carries this seal.'],
  'stale-version': [409, 'This entry was changed elsewhere since you opened it.'],
  'time-locked': [409, 'This entry is time-locked and cannot be changed before its date.'],
  'lock-stands': [409, 'A lock can be neither shortened nor removed.'],
  'last-way-in': [409, 'This is the only way to sign in that is left. Add another one first.'],
  'passkey-known': [409, 'This passkey is already kept here.'],
  'too-large': [413, 'This is larger than the vault accepts.'],
  'wrong-type': [415, 'Send JSON, with the content type application/json.'],
  'too-many': [429, 'Too many attempts. Please wait a little and try again.'],
  'sign-in-unavailable': [502, 'The sign-in provider could not be reached. Please try again.'],
  'sign-in-refused': [403, 'The sign-in provider did not let you through.'],
  'not-ready': [503, 'The house is not ready yet.'],
  internal: [500, 'Something went wrong here. Nothing was lost; please try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errorCodes;
