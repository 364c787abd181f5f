// The vault's webhooks as this browser knows them: listed with their names opened, made, given another secret, revoked.
// Address and secret come once, and are kept by nobody here.
import { newSealId } from '../../../crypto/seal.ts';
import { type ImportWebhook, importWebhooks } from '../../../shared/nouns/import-webhooks.ts';
import { inBook } from '../../../vault/book/in-book.ts';
import { factsNow } from '../../../vault/entries/facts.ts';
import { openFields, sealFields } from '../../../vault/entries/fields.ts';
import { webhookKind } from '../../../vault/kinds/webhook.ts';
import { rowListOf } from '../../../vault/replica/row-list.ts';
import type { Vault } from '../../../vault/vault.ts';
import { useRows } from '../session/use-rows.ts';
import { useVault } from '../session/vault-context.ts';

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

export const webhookList = rowListOf('webhook', webhookKind, openWebhook);

export function useWebhooks() {
  const vault = useVault();
  // What has arrived since it was last seen is what it is looked at for.
  const list = useRows(webhookList, { refetchOnMount: 'always' });
  const refresh = () => vault.lists.refresh(webhookList);

  return {
    list,

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

    refresh,
  };
}
