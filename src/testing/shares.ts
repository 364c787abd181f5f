// One-time links as two browsers would make and open them: real proofs, made-up ciphertext.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { SealInput, ShareableKey, ShareableKeyInput } from '../shared/nouns/sacred-key.ts';

/** Sends a request as somebody: a `Person`, or a browser that talks to a server of its own. */
export interface Sender {
  request(method: string, path: string, options?: { body?: unknown }): Promise<Response>;
}

/** The proofs of one link, and what seals it. */
export interface Link {
  door: string;
  claim: string;
  seal: SealInput;
}

/** A sealed key with its link. */
export interface Share extends Link {
  key: ShareableKey;
  keyId: string;
  words: string;
}

/** 32 random bytes, base64url: a door or a claim, right or wrong. */
export const aProof = () => randomBytes(32).toString('base64url');
export const aRedemptionId = () => randomBytes(16).toString('base64url');
/** What is already ciphertext for the server, as long as sealing a few words makes it. */
export const someWords = (bytes = 284) => randomBytes(bytes).toString('base64');

export const STRETCHING = { memory: 65536, iterations: 3, parallelism: 1 };

/** The hash as docs/formats.md has it, spelled out a second time. */
const hashOf = (proof: string) =>
  createHash('sha256').update(Buffer.from(proof, 'base64url')).digest('base64url');

export function aLink({ words = someWords(), passphrase = false } = {}): Link {
  const [door, claim] = [aProof(), aProof()];
  const seal: SealInput = {
    encryptedContent: words,
    doorHash: hashOf(door),
    claimHash: hashOf(claim),
    stretching: passphrase ? STRETCHING : null,
    encryptedSecret: someWords(),
    sealId: aRedemptionId(),
  };
  return { door, claim, seal };
}

/** Writes a memory. Returns its number. */
export async function aMemory(owner: Sender, timeLockUntil: string | null = null): Promise<number> {
  const body = { title: 'dA==', encryptedContent: 'dA==', timeLockUntil };
  const response = await owner.request('POST', '/api/memory-entries', { body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

/** Reserves a key for a new memory unless told for what. */
export async function reserve(
  owner: Sender,
  input: Partial<ShareableKeyInput> = {},
): Promise<ShareableKey & { shareUrl: string }> {
  const body = { entryType: 'memory', entryId: input.entryId ?? (await aMemory(owner)), ...input };
  const response = await owner.request('POST', '/api/shareable-keys', { body });
  expect(response.status).toBe(201);
  return (await response.json()) as ShareableKey & { shareUrl: string };
}

export function putSeal(owner: Sender, id: number, body: SealInput): Promise<Response> {
  return owner.request('PUT', `/api/shareable-keys/${id}/seal`, { body });
}

/** A one-time link, ready to be opened. */
export async function aShare(
  owner: Sender,
  options: { words?: string; passphrase?: boolean; expiresInHours?: number } = {},
): Promise<Share> {
  const { expiresInHours, ...rest } = options;
  const { id, keyId } = await reserve(owner, { expiresInHours });
  const link = aLink(rest);
  const response = await putSeal(owner, id, link.seal);
  expect(response.status).toBe(200);
  const key = (await response.json()) as ShareableKey;
  return { ...link, key, keyId, words: link.seal.encryptedContent };
}

interface Attempt {
  door?: string;
  claim?: string;
  redemptionId?: string;
}

export function redeem(browser: Sender, share: Share, attempt: Attempt = {}): Promise<Response> {
  const body = { door: share.door, claim: share.claim, redemptionId: aRedemptionId(), ...attempt };
  return browser.request('POST', `/api/shares/${share.keyId}/redeem`, { body });
}

export function acknowledge(browser: Sender, share: Share, redemptionId: string, door = share.door) {
  return browser.request('POST', `/api/shares/${share.keyId}/acknowledge`, { body: { door, redemptionId } });
}

/** The words that an opening answers. */
export async function wordsOf(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  return ((await response.json()) as { encryptedContent: string }).encryptedContent;
}
