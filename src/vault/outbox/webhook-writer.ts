// The vault's webhooks as this browser knows them: listed with their names opened, made, given another secret, revoked.
// Address and secret come once, and are kept by nobody here.
import { newSealId } from '../../crypto/seal.ts';
import { type ImportWebhook, importWebhooks } from '../../shared/nouns/import-webhooks.ts';
import { inBook } from '../book/in-book.ts';
import { factsNow } from '../entries/facts.ts';
import { openFields, sealFields } from '../entries/fields.ts';
import { webhookKind } from '../kinds/webhook.ts';
import { type ListedVault, rowListOf } from '../replica/row-list.ts';
import type { Vault } from '../vault.ts';

export interface OpenedWebhook extends Omit<ImportWebhook, 'name'> {
  /** Null when it does not open with any key of this vault. */
  name: string | null;
}

/** What is shown once. */
export interface WebhookAccess {
  name: string;
  /** Null where only the secret is new. */
  url: string | null;
  secret: string;
}

async function openWebhook({ name: sealed, ...row }: ImportWebhook, vault: Vault): Promise<OpenedWebhook> {
  const opened = await openFields('webhook', row, { name: sealed }, vault);
  const createdAt = opened?.facts.createdAt ?? row.createdAt;
  return { ...row, name: opened?.texts?.name ?? null, createdAt };
}

/** The vault's webhooks. */
export const webhookList = rowListOf('webhook', webhookKind, openWebhook);

/** What a screen does with webhooks; the list is fetched again after each. */
export function webhookWriter(vault: ListedVault) {
  const refresh = () => vault.lists.refresh(webhookList);
  return {
    /** Seals the name and makes a webhook. @throws ApiError, TypeError, SealError */
    async create(name: string): Promise<WebhookAccess> {
      const sealId = newSealId();
      const sealed = await sealFields('webhook', sealId, { name }, factsNow('webhook', {}), vault);
      const body = { ...sealed, sealId, keyFingerprint: vault.fingerprint };
      const put = [{ kind: 'webhook' as const, sealId, sealed }];
      const { url, secret } = await inBook(vault, { put }).send(importWebhooks.create, { body });
      await refresh();
      return { name, url, secret };
    },

    /** @param oldStays whether the old secret is accepted for another day @throws ApiError, TypeError */
    async rotate({ id, name }: OpenedWebhook, oldStays: boolean): Promise<WebhookAccess> {
      const oldSecret = oldStays ? 'stays-a-day' : 'ends-now';
      const params = { id: String(id) };
      const { secret } = await vault.api.send(importWebhooks.rotate, { params, body: { oldSecret } });
      await refresh();
      return { name: name ?? 'this webhook', url: null, secret };
    },

    /** @throws ApiError, TypeError */
    async revoke({ id, sealId }: OpenedWebhook): Promise<void> {
      await inBook(vault, { removed: [sealId] }).send(importWebhooks.remove, { params: { id: String(id) } });
      await refresh();
    },
  };
}
