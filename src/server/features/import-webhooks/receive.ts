// A delivery on its way into a vault: whose it is, whether it is signed, whether there is room, sealed, stored. Its words
// are in memory while that lasts and nowhere else: not in an error, not in the log, not in a file.
import { createHash } from 'node:crypto';
import {
  DELIVERY_LIMITS,
  DELIVERY_TOLERANCE,
  type Delivery,
  type DeliveryRefusal,
} from '../../../shared/nouns/import-webhooks.ts';
import { DAY, MINUTE } from '../../../shared/time.ts';
import { newSealId, sealerTo } from '../../adapters/sealed-box.ts';
import { type DeliveryHeaders, judgeDelivery } from '../../adapters/webhook-signatures.ts';
import { overQuota } from '../../db/over-quota.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { countAttempt, GATE, type GiveBack } from '../../http/rate-limit.ts';
import type { SignedBody } from '../../http/route.ts';
import { type Addressed, findAddressed, isKnown, keepDelivery, noteRefusal } from './delivery-store.ts';
import { isRevoked } from './revoked-store.ts';
import { secretBytes, tokenHash } from './secrets.ts';
import { type Texts, textsOf } from './texts.ts';

export interface Incoming {
  token: string;
  headers: DeliveryHeaders;
  body: SignedBody<Delivery>;
  /** The bucket of whoever sends, for what is not signed rightly. */
  sender: string;
}

/** What this feature asks of the owner of vault keys. */
export interface Vaults {
  findRecipient(deps: Deps, accountId: number): Promise<{ fingerprint: string; recipient: string } | null>;
}

const KEY_IS_MISSING = new Set<string>(['no-vault-key', 'key-unusable']);
const DELIVERY_ID = 'webhook';
/** After how many seconds a sender may try again while a key is being changed. */
const CHANGING_FOR = 300;
/** How often a delivery is sealed anew when the key was changed at that moment. */
const TRIES = 3;

/**
 * Takes a delivery in. One that came before is taken as stored: its sender did not hear the first answer, or has lost it.
 * @throws AppError `not-found` where there is no such webhook, `webhook-revoked` where there was, and what else is wrong
 */
export async function receive(
  deps: Deps,
  vaults: Vaults,
  { token, headers, body, sender }: Incoming,
): Promise<void> {
  const address = tokenHash(token);
  const gone = async () => new AppError((await isRevoked(deps, address)) ? 'webhook-revoked' : 'not-found');
  const webhook = await findAddressed(deps, address);
  if (!webhook) {
    await countAttempt(deps, sender, GATE);
    throw await gone();
  }
  const refuse = async (reason: DeliveryRefusal, error: unknown): Promise<never> => {
    await noteRefusal(deps, webhook, reason);
    throw error;
  };

  const keys = webhook.salts.map((salt) => secretBytes(deps.digests, salt));
  const verdict = judgeDelivery(headers, body.bytes, keys, {
    now: deps.now(),
    tolerance: DELIVERY_TOLERANCE,
  });
  if (verdict !== 'right') {
    // Counted by who sends it, so that the address alone is no means to shut the real sender out.
    await countAttempt(deps, sender, GATE);
    if (verdict === 'time') return refuse('time', new AppError('webhook-time'));
    const code = verdict === 'unsigned' ? 'webhook-unsigned' : 'webhook-signature';
    return refuse('signature', new AppError(code));
  }
  const deliveryHash = hashOf(headers.id ?? '');
  if (await isKnown(deps, webhook.id, deliveryHash)) return;

  let delivery: Delivery;
  try {
    delivery = body.read();
  } catch (error) {
    return refuse('body', error);
  }
  const giveBack = await countDelivery(deps, webhook).catch((error) => refuse('rate', error));
  try {
    const outcome = await keep(deps, vaults, webhook, deliveryHash, delivery);
    if (outcome === 'already-received') await giveBack();
    if (outcome === 'not-found') throw await gone();
  } catch (error) {
    await giveBack();
    const over = overQuota(error);
    // How full the vault is concerns its owner alone.
    if (over) return refuse('room', new AppError(over === 'rows' ? 'quota-rows' : 'quota-bytes'));
    if (error instanceof AppError && KEY_IS_MISSING.has(error.code)) return refuse('key', error);
    throw error;
  }
}

const hashOf = (id: string) => createHash('sha256').update(`${DELIVERY_ID}\0${id}`).digest('base64url');

/**
 * Counts a delivery that is signed rightly.
 * @returns takes it off the day again. The minute keeps it: sealing what is then refused takes as long, and a vault that is
 *   full would have this server seal without end
 * @throws AppError `too-many`
 */
async function countDelivery(deps: Deps, { id, accountId }: Addressed): Promise<() => Promise<void>> {
  const { minute, vaultMinute, day, vaultDay } = DELIVERY_LIMITS;
  const ofMinute = [
    [`import ${id} minute`, { attempts: minute, window: MINUTE }],
    [`imports of ${accountId} minute`, { attempts: vaultMinute, window: MINUTE }],
  ] as const;
  const ofDay = [
    [`import ${id} day`, { attempts: day, window: DAY }],
    [`imports of ${accountId}`, { attempts: vaultDay, window: DAY }],
  ] as const;
  const counted: GiveBack[] = [];
  const giveBack = async (attempts: readonly GiveBack[]) => {
    for (const takeBack of attempts) await takeBack();
  };
  for (const [bucket, allowance] of [...ofMinute, ...ofDay]) {
    try {
      counted.push(await countAttempt(deps, bucket, allowance));
    } catch (error) {
      await giveBack(counted);
      throw error;
    }
  }
  return () => giveBack(counted.slice(ofMinute.length));
}

/** Seals a delivery to the key that the vault has, and keeps it under that. */
async function keep(
  deps: Deps,
  { findRecipient }: Vaults,
  webhook: Addressed,
  deliveryHash: string,
  delivery: Delivery,
): Promise<'kept' | 'already-received' | 'not-found'> {
  for (let tries = 1; ; tries += 1) {
    const key = await findRecipient(deps, webhook.accountId);
    if (!key) throw new AppError('no-vault-key');
    const seal = await sealerTo(key.recipient);
    // A client of its own has given the vault a public key that is none.
    if (!seal) throw new AppError('key-unusable');
    const sealId = newSealId();
    const plain = textsOf(delivery, webhook.id);
    const sealed = (field: keyof Texts) => seal(plain[field], { kind: 'memory', field, sealId });
    const memory = {
      title: await sealed('title'),
      encryptedContent: await sealed('encryptedContent'),
      details: await sealed('details'),
      sealId,
      keyFingerprint: key.fingerprint,
    };
    const outcome = await keepDelivery(deps, webhook, deliveryHash, memory);
    if (outcome === 'key-changed' && tries < TRIES) continue;
    if (outcome === 'key-changed' || outcome === 'key-being-changed') {
      throw new AppError('key-being-changed', undefined, CHANGING_FOR);
    }
    return outcome;
  }
}
