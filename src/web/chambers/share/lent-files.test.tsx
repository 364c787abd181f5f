import { expect, onTestFinished, test, vi } from 'vitest';
import { FILES_LEASE, LEASE } from '../../../shared/share-lease.ts';
import { renderFiles } from './lent-files.tsx';

/** Whether the page asks before it is left. */
const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a page with files of a link asks before it is left, for as long as they can be fetched', () => {
  const opened = Date.parse('2026-03-01T10:00:00.000Z');
  const now = vi.spyOn(Date, 'now').mockReturnValue(opened);
  onTestFinished(() => now.mockRestore());
  const leaseUntil = new Date(opened + LEASE).toISOString();
  const entry = { files: [] } as never;
  const place = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => place.remove());
  expect(asks()).toBe(false);
  renderFiles(
    place,
    { at: 'opened', entry, redemptionId: 'r', leaseUntil },
    fetch,
    'k',
    new AbortController().signal,
  );
  expect(asks()).toBe(true);
  now.mockReturnValue(opened + FILES_LEASE - 1);
  expect(asks()).toBe(true);
  now.mockReturnValue(opened + FILES_LEASE);
  expect(asks()).toBe(false);
});

test('what shows files of a link is taken away with the page, with all that it listens to', async () => {
  const place = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => place.remove());
  const leaseUntil = new Date(Date.now() + LEASE).toISOString();
  const closing = new AbortController();
  const entry = { files: [] } as never;
  renderFiles(place, { at: 'opened', entry, redemptionId: 'r', leaseUntil }, fetch, 'k', closing.signal);
  await vi.waitFor(() => expect(place.textContent).toContain('can be fetched until'));
  closing.abort();
  expect(place.textContent).toBe('');
  expect(asks()).toBe(false);
});
