// Attacks of IACR ePrint 2026/058 that were not told here before, each as a server would mount it (published.ts).
import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { fromBase64Url } from '../../../crypto/base64.ts';
import { createClientKey } from '../../../crypto/client-key.ts';
import { newKitSecret, unwrapUnderKit } from '../../../crypto/guardian-kit.ts';
import type { StretchParams } from '../../../crypto/passphrase.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { fingerprintOf, generateVaultKey } from '../../../crypto/vault-key.ts';
import { wrapVaultKey } from '../../../crypto/wrap.ts';
import type { VaultKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { makeKit } from '../../../vault/outbox/kit-writer.ts';
import { openField } from '../../vault/entries/testing/sealing.ts';
import { keySlots, postMemory } from '../another-key.ts';
import { type Browser, inAnotherBrowser } from '../browser.tsx';
import { aDevice } from '../devices.ts';
import { beginByPassphrase, enterByPassphrase } from '../gate-steps.ts';
import { anInstance } from '../instance.ts';
import { enterAsMember, type Member } from '../member.ts';
import { openMemoryVault, sealMemory } from '../memories.ts';
import { expectRows, fill, findRow, press } from '../steps.ts';
import { stretchLightly } from '../workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';
const MEMORIES = '/api/memory-entries';

/** The rows of a vault that the server has made itself, as it would answer them in the place of the real ones. */
async function rowsOfItsOwn(server: Member, named: string): Promise<object[]> {
  const rows = ['A debt', 'A confession'].map(async (title, i) => {
    const sealId = newSealId();
    const texts = await server.sealed('memory', sealId, { title, encryptedContent: 'You owe it.' });
    const at = new Date().toISOString();
    return {
      ...{ id: 900 - i, ...texts, details: null, timeLockUntil: null, createdAt: at, updatedAt: at },
      ...{ version: 1, sealId, keyFingerprint: named },
    };
  });
  return Promise.all(rows);
}

test('1P03: a vault of the server’s own, injected beside the user’s, gives none of its words out', async () => {
  const server = await enterAsMember(instance());
  const member = await enterAsMember(instance());
  await postMemory(member, 'The orchard', 'Ladders.');
  // Under its own key's name, and under the user's.
  for (const named of [server.fingerprint, member.fingerprint]) {
    const planted = await rowsOfItsOwn(server, named);
    const stop = member.browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (request.method !== 'GET' || new URL(request.url).pathname !== MEMORIES) return answer;
      return Response.json([...planted, ...((await answer.json()) as object[])]);
    });
    await member.browser.open('/memory-vault');
    await findRow('The orchard');
    await expectRows('Unreadable with this key', 'Unreadable with this key', 'The orchard');
    expect(document.body.textContent).not.toMatch(/debt|confession|You owe it/i);
    stop();
  }
});

test('1P06: a key of the server’s own in the place of the user’s opens no vault, and nothing is sealed under it', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const key = generateVaultKey();
  const clientKey = await createClientKey(key, { generation: 1, before: null });
  const [wrap] = (await member.call<VaultKeyRecord>('GET', '/api/encryption-key')).clientKey.wraps;
  if (wrap?.method !== 'passphrase') throw new Error('the vault opens by no passphrase');
  const { params } = wrap;
  // It does not know what the passphrase is stretched to: it guesses, or leaves the wrap that it has.
  const guessed = await wrapVaultKey(key, new Uint8Array(32).fill(7), { method: 'passphrase', params });
  for (const wraps of [[guessed], [wrap]]) {
    await inAnotherBrowser(instance(), async (other) => {
      other.network.intercept(async (request, forward) => {
        const answer = await forward();
        if (new URL(request.url).pathname !== '/api/encryption-key' || !answer.ok) return answer;
        const kept = (await answer.json()) as VaultKeyRecord;
        return Response.json({ ...kept, clientKey: { ...clientKey, wraps } });
      });
      await enterByPassphrase(other, member.user.name ?? '', PASSPHRASE);
      if (wraps[0] === guessed) {
        // The right passphrase signs in, and opens nothing of what the server sends.
        await screen.findByRole('heading', { name: 'Unlock the vault' });
        await fill(other, screen.getByLabelText('Passphrase'), PASSPHRASE);
        await press(other, 'Unlock');
        await screen.findByText(/^That passphrase does not open what this server sent/);
      } else await screen.findByText(/^Stop\. What this server keeps of your key does not match/);
      expect(keySlots()).toEqual([]);
      expect(
        other.network.asked.filter((call) =>
          /^(POST|PATCH|PUT) \/api\/(memory|relationship|ghost)/.test(call),
        ),
      ).toEqual([]);
    });
  }
});

/** What rows are told apart by, and what a form is shown for: were it another, there would be nothing to seal. */
const KEPT = new Set(['id', 'n', 'version', 'onboardingComplete']);
/** Settings that other programs have, or might, and this one does not. */
const SETTINGS = {
  ...{ version: '2023.1.0', serverVersion: '2023.1.0', format: 0, v: 0, legacy: true, weak: true },
  ...{ perItemKeys: false, authenticated: false, padding: false, seal: false },
  ...{ mode: 'cbc', algorithm: 'none', memory: 8, iterations: 1, parallelism: 1 },
};

/** Every flag of an answer as its opposite, every number as 0, or 1 for 0, and in each object settings that it never had. */
function flagged(answer: unknown, name = ''): unknown {
  if (Array.isArray(answer)) return answer.map((each) => flagged(each));
  if (typeof answer === 'object' && answer !== null) {
    const bent = Object.entries(answer).map(([member, value]) => [member, flagged(value, member)]);
    return { ...SETTINGS, ...Object.fromEntries(bent) };
  }
  if (KEPT.has(name)) return answer;
  if (typeof answer === 'boolean') return !answer;
  return typeof answer === 'number' ? Number(answer === 0) : answer;
}

/** Bends every answer from now on, whatever is asked. Returns which calls were answered so. */
function bendAll({ network }: Browser): Set<string> {
  const bent = new Set<string>();
  network.intercept(async (request, forward) => {
    const answer = await forward();
    if (!/json/.test(answer.headers.get('content-type') ?? '')) return answer;
    bent.add(`${request.method} ${new URL(request.url).pathname}`);
    return new Response(JSON.stringify(flagged(await answer.json())), answer);
  });
  return bent;
}

/** A memory as the page sends it. */
interface SentMemory {
  sealId: string;
  title: string;
  encryptedContent: string;
}

/** Which fields a page sends, and how long each of them is. */
const sizesOf = (sent: object) =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, JSON.stringify(value).length]));

test('BW10: a flag of the server never changes a format', async () => {
  const member = await openMemoryVault(instance());
  const { browser, contentKey } = member;
  const sent: SentMemory[] = [];
  browser.network.intercept(async (request, forward) => {
    if (request.method === 'POST' && new URL(request.url).pathname === MEMORIES)
      sent.push((await request.clone().json()) as SentMemory);
    return forward();
  });
  // The second one follows the answer to the first.
  const sealTwo = async () => {
    await browser.reload();
    for (const content of ['Ladders.', 'Wasps...'])
      await sealMemory(member, { title: 'The orchard', content });
  };
  await sealTwo();
  const bent = bendAll(browser);
  await sealTwo();
  for (const call of ['GET /api/auth/user', `GET ${MEMORIES}`, 'GET /api/book', `POST ${MEMORIES}`])
    expect(bent).toContain(call);
  const [plain, ...others] = sent.map(sizesOf);
  expect(others).toEqual([plain, plain, plain]);
  for (const memory of sent)
    expect(await openField(contentKey, 'memory', 'title', memory, memory.title)).toBe('The orchard');
});

test('DL04: a server that asks for less stretching of a new passphrase is sent nothing', async () => {
  for (const name of ['memory', 'iterations', 'parallelism'] as const) {
    await inAnotherBrowser(instance(), async (other) => {
      other.network.intercept(async (request, forward) => {
        const answer = await forward();
        if (new URL(request.url).pathname !== '/api/gate/passphrase/salt') return answer;
        const asked = (await answer.json()) as StretchParams;
        return Response.json({ ...asked, [name]: asked[name] - 1 });
      });
      await beginByPassphrase(other, 'agnes', PASSPHRASE);
      await screen.findByText(/^The server asks for a weaker protection than this browser accepts\./);
      expect(other.network.asked).toContain('POST /api/gate/passphrase/salt');
      expect(other.network.asked).not.toContain('POST /api/gate/passphrase/begin');
    });
  }
});

/** What those programs take keys and places for keys from. */
const NAMED = {
  ...{ organizationId: 'o', organizations: [{ id: 'o', publicKey: 'AAAA' }], publicKey: 'AAAA' },
  ...{
    resetPasswordEnrolled: true,
    resetPasswordKey: 'AAAA',
    masterPasswordPolicy: { enforceOnLogin: true },
  },
  ...{
    usesKeyConnector: true,
    keyConnectorUrl: 'https://elsewhere.example',
    admins: [{ sharingKey: 'AAAA' }],
  },
  ...{ recoveryGroup: { publicKey: 'AAAA', id: 'g' }, recipients: ['age1elsewhere'], escrow: 'AAAA' },
};

function naming(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(naming);
  return typeof answer === 'object' && answer !== null ? { ...NAMED, ...answer } : answer;
}

test('BW01, BW03, LP01, 1P01: whatever keys a server names, of a guardians’ kit it is sent one wrap, under the sheets’ secret alone', async () => {
  const member = await enterAsMember(instance());
  const device = aDevice(instance(), member);
  const sent: { wrap: string }[] = [];
  device.network.intercept(async (request, forward) => {
    if (request.method === 'POST' && new URL(request.url).pathname === '/api/guardian-kits')
      sent.push((await request.clone().json()) as { wrap: string });
    return forward();
  });
  const choice = { name: 'The family', guardians: ['Imre', 'Ada', 'Noor'], needed: 2, waitDays: 14 };
  await makeKit(device.vault, choice);
  device.network.intercept(async (_, forward) => {
    const answer = await forward();
    if (!/json/.test(answer.headers.get('content-type') ?? '')) return answer;
    return new Response(JSON.stringify(naming(await answer.json())), answer);
  });
  device.reload();
  const before = device.network.asked.length;
  const kit = await makeKit(device.vault, choice);
  const [plain, bent] = sent as [{ wrap: string }, { wrap: string }];
  // Not a member more, and none that is longer: nothing else could stand in it.
  expect(sizesOf({ ...bent, entry: null })).toEqual(sizesOf({ ...plain, entry: null }));
  const asked = device.network.asked.slice(before).filter((call) => !call.startsWith('GET '));
  expect(asked).toEqual(['POST /api/guardian-kits']);
  const key = await unwrapUnderKit(fromBase64Url(kit.details.secret), bent.wrap);
  expect(await fingerprintOf(key)).toBe(member.fingerprint);
  await expect(unwrapUnderKit(newKitSecret(), bent.wrap)).rejects.toThrow();
});
