// Taking an artifact: the wallet makes its passphrase and proves itself, the server encrypts.
import { ARTIFACT_STATEMENT, holders } from '../../shared/nouns/holders.ts';
import type { ApiClient } from '../../vault/api/api-client.ts';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { makeArtifactPassphrase } from '../wallet/artifact-passphrase.ts';
import { proveWallet } from '../wallet/prove-wallet.ts';
import { type InstalledWallet, walletSentences } from '../wallet/wallet.ts';
import type { Artifact } from './session-state.ts';

/** Such as `artifact-2030-06-01T12-00-00Z.asc`: no file system minds it. @param now epoch milliseconds */
export const artifactName = (now: number): string =>
  `artifact-${new Date(now).toISOString().replace(/\.\d+/, '').replace(/:/g, '-')}.asc`;

/**
 * Takes the artifact of a connected wallet.
 * @param known the passphrase, where this wallet has made it here already
 * @param now epoch milliseconds, which name the file
 * @returns the artifact, or why there is none in a sentence
 */
export async function extractArtifact(
  { send }: ApiClient,
  wallet: InstalledWallet,
  address: string,
  known: string | null,
  now: number,
): Promise<Artifact | { sentence: string }> {
  try {
    // Before the challenge, which is good for some minutes only.
    const made = known === null ? await makeArtifactPassphrase(wallet, location.host, address) : null;
    if (made && !made.ok) return { sentence: walletSentences[made.problem] };
    const passphrase = made ? made.value : (known ?? '');
    const challenge = await send(holders.challenge, { body: { walletAddress: address } });
    const proof = await proveWallet(wallet, challenge, ARTIFACT_STATEMENT);
    if (!proof.ok) return { sentence: walletSentences[proof.problem] };
    const armored = await send(holders.artifact, { body: { ...proof.value, passphrase } });
    return { address, file: artifactName(now), armored, passphrase };
  } catch (error) {
    return { sentence: sentenceOf(error) };
  }
}
