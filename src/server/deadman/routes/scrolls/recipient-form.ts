// The recipients of an author's form, as the database keeps them. Whatever is wrong with one is a sentence.
import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { ScrollInput } from '../../../../shared/nouns/legacy.ts';
import {
  type AccessInput,
  addressProblem,
  isSameAddress,
  normaliseAddress,
  type RecipientInput,
  type RecipientType,
  type ScrollAccess,
  tellProblem,
} from '../../../../shared/nouns/scroll-recipients.ts';
import type { ScrollRecipientsTable } from '../../../db/schema/deadman.ts';
import { wrong } from './scroll-form.ts';

type Form = Pick<ScrollInput, 'recipientType' | 'recipientAddress' | 'access' | 'recipients'>;

/** A recipient as the form has it. */
export type AskedRecipient = Required<Pick<RecipientInput, 'recipientType' | 'recipientAddress'>> & {
  id: number | null;
  publicId: string | null;
  tell: NonNullable<RecipientInput['tell']>;
  access: AccessInput | null;
  encryptedName: string | null;
};

/** The form of a client that is written from the specification has one recipient, and no list. */
export const isSingle = ({ recipients }: Form): boolean => recipients == null;

/** @throws AppError `invalid-input` */
export function readRecipients(form: Form): AskedRecipient[] {
  const asked = form.recipients?.map(readRecipient) ?? [readRecipient(readSingle(form), 0)];
  const problem = tellProblem(asked);
  if (problem) throw wrong('recipients', problem);
  for (const [i, one] of asked.entries()) {
    if (asked.some((other, k) => k < i && isSameAddress(one, other))) {
      throw wrong(`recipients.${i}.recipientAddress`, 'This address stands in the list already.');
    }
    refuseUnfitAccess(one.access?.kind ?? null, one.recipientType, placeOf(form, i, 'access'));
  }
  return asked;

  function readRecipient(given: RecipientInput, i: number): AskedRecipient {
    const { recipientType, recipientAddress } = given;
    const unfit = addressProblem(recipientType, recipientAddress);
    if (unfit) throw wrong(placeOf(form, i, 'recipientAddress'), unfit);
    return {
      id: given.id ?? null,
      publicId: given.publicId ?? null,
      recipientType,
      recipientAddress: normaliseAddress(recipientType, recipientAddress),
      tell: given.tell ?? 'at-release',
      access: given.access ?? null,
      encryptedName: given.encryptedName ?? null,
    };
  }
}

/** Where a sentence about a recipient belongs: at a field of the list, or at the field of the only one. */
export const placeOf = (form: Form, i: number, field: string): string =>
  isSingle(form) ? field : `recipients.${i}.${field}`;

function readSingle({ recipientType, recipientAddress, access }: Form): RecipientInput {
  if (!recipientType) throw wrong('recipientType', 'A recipient is reached by email, sms, whisper or card.');
  if (!recipientAddress) throw wrong('recipientAddress', 'Enter who receives it.');
  return { recipientType, recipientAddress, access };
}

/** @throws AppError `invalid-input` where a key cannot reach such a recipient in such a way */
export function refuseUnfitAccess(access: ScrollAccess | null, type: RecipientType, place: string): void {
  if (access === 'vault' && type !== 'whisper') throw wrong(place, 'Only a whisper is sealed to a vault.');
  if (access === 'passphrase' && type === 'whisper') {
    throw wrong(place, 'A whisper opens in its vault, or by a key card.');
  }
}

/** @throws AppError `invalid-input` */
export function refuseUnknownVault(place: string): never {
  throw wrong(place, 'No vault on this server has this address, so only a key card can open it.');
}

/** @throws AppError `invalid-input` */
export function refuseTakenNumber(i: number): never {
  throw wrong(
    `recipients.${i}.publicId`,
    'This number stands in the address of another letter already. Draw another one.',
  );
}

/** @throws AppError `invalid-input` */
export function refuseUnsigned(place: string): never {
  throw wrong(place, 'A whisper’s signature covers its words and its recipient: send a new envelope.');
}

const NO_ACCESS = {
  card_number: null,
  sheets_needed: null,
  claim_hash: null,
  stretching: null,
  wrapped_key: null,
  envelope: null,
};

/** How one recipient opens the letter, as columns. */
export function accessColumns(access: AccessInput | null) {
  if (!access) return { access: 'none' as const, ...NO_ACCESS };
  const { kind } = access;
  switch (kind) {
    case 'card':
      return {
        ...NO_ACCESS,
        access: kind,
        card_number: access.cardNumber,
        sheets_needed: access.sheetsNeeded ?? null,
        claim_hash: access.claimHash,
        wrapped_key: access.wrappedKey,
      };
    case 'passphrase':
      return {
        ...NO_ACCESS,
        access: kind,
        claim_hash: access.claimHash,
        stretching: JSON.stringify(access.stretching),
        wrapped_key: access.wrappedKey,
      };
    case 'vault':
      return { ...NO_ACCESS, access: kind, envelope: JSON.stringify(access.envelope) };
  }
}

/** What a form alone says of a recipient. */
export const askedColumns = (asked: AskedRecipient, position: number) => ({
  position,
  recipient_type: asked.recipientType,
  recipient_address: asked.recipientAddress,
  tell: asked.tell,
  encrypted_name: asked.encryptedName,
});

/** The row of a new recipient. */
export function newRecipient(
  asked: AskedRecipient,
  position: number,
): Omit<Insertable<ScrollRecipientsTable>, 'scroll_id' | 'account_id' | 'recipient_account_id'> {
  return {
    ...askedColumns(asked, position),
    ...accessColumns(asked.access),
    public_id: asked.publicId ?? randomBytes(16).toString('base64url'),
    released_at: null,
    released_counted: null,
    opened_at: null,
    unopened_since: null,
    reminders_stopped_at: null,
  };
}
