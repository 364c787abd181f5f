// Steps around legacy scrolls: having one watch without its author's screens, and releasing it.
import type { Page } from '@playwright/test';
import { type LeftScroll, leaveScroll as leaveScrollBy } from '../src/web/testing/scrolls.ts';
import type { TestInstance } from './instance.ts';
import { callsOf } from './member.ts';

export { LETTER, sealScroll } from '../src/web/testing/scrolls.ts';

type Options = Parameters<typeof leaveScrollBy>;

/** Leaves a scroll that watches, as the account that a page is signed in to. */
export const leaveScroll = (
  owner: Page,
  instance: Pick<TestInstance, 'url'>,
  sealed: Options[1],
  watch?: Options[2],
): Promise<LeftScroll> => leaveScrollBy(callsOf(owner, instance), sealed, watch);
