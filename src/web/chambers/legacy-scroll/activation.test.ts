import { describe, expect, it } from 'vitest';
import type { ScrollAccess, ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { activationReducer, beginActivation, keyMark, whatIsAsked } from './activation.ts';

const recipient = (access: ScrollAccess, cardNumber: string | null = 'one', id = 1) =>
  ({ id, access, cardNumber: access === 'card' ? cardNumber : null }) as ScrollRecipient;

const scroll = (about: Partial<OpenedScroll> = {}) =>
  ({
    recipients: [recipient('card')],
    triggerType: 'inactivity',
    handedOverAt: null,
    version: 1,
    ...about,
  }) as OpenedScroll;

const begun = (of: OpenedScroll, saidBefore = false) => beginActivation(of, saidBefore);

describe('the key', () => {
  it.each(['card', 'passphrase'] as const)('of a scroll with a %s has to be handed over first', (access) => {
    const of = scroll({ recipients: [recipient(access)] });
    expect(whatIsAsked(of, begun(of), true).missing.handedOver).toMatch(/Hand it over first/);
    const said = activationReducer(begun(of), { type: 'handed-over', key: keyMark(of) });
    expect(whatIsAsked(of, said, true)).toMatchObject({ handedOver: true, missing: { handedOver: null } });
  });

  it.each(['vault', 'none'] as const)('of a scroll with access %s is nobody’s to hand over', (access) => {
    const of = scroll({ recipients: [recipient(access)] });
    expect(whatIsAsked(of, begun(of), true)).toMatchObject({
      asksHandOver: false,
      missing: { handedOver: null },
    });
  });

  it('that was handed over before, or just now, is not asked for', () => {
    const before = scroll({ handedOverAt: '2026-01-01T00:00:00.000Z' });
    expect(whatIsAsked(before, begun(before), true).handedOver).toBe(true);
    expect(whatIsAsked(scroll(), begun(scroll(), true), true).handedOver).toBe(true);
  });

  it('that was replaced meanwhile has to be handed over once more', () => {
    const said = begun(scroll(), true);
    const renewed = scroll({ recipients: [recipient('card', 'another')] });
    const asked = whatIsAsked(renewed, said, true);
    expect(asked).toMatchObject({ handedOver: false, replaced: true });
    expect(asked.missing.handedOver).toMatch(/replaced by a newer one/);
  });
});

describe('the keys of several recipients', () => {
  const two = (second: ScrollRecipient) => scroll({ recipients: [recipient('vault'), second] });

  it('have to be handed over where one of them has one', () => {
    expect(
      whatIsAsked(two(recipient('passphrase', null, 2)), begun(two(recipient('vault'))), true),
    ).toMatchObject({ asksHandOver: true, handedOver: false });
  });

  it('count as replaced where one of them is another, or where there is one more', () => {
    const said = begun(two(recipient('card', 'one', 2)), true);
    for (const other of [recipient('card', 'two', 2), recipient('card', 'one', 3)]) {
      expect(whatIsAsked(two(other), said, true)).toMatchObject({ handedOver: false, replaced: true });
    }
  });
});

describe('warnings', () => {
  it('go by mail where an address is proved, unless another way is chosen', () => {
    const of = scroll();
    expect(whatIsAsked(of, begun(of), true)).toMatchObject({ warning: 'mail', missing: { warning: null } });
    const chosen = activationReducer(begun(of), { type: 'warning-chosen', warning: 'dashboard' });
    expect(whatIsAsked(of, chosen, true).warning).toBe('dashboard');
  });

  it('have to be chosen where none is, and by mail need a proved address', () => {
    const of = scroll();
    expect(whatIsAsked(of, begun(of), false).missing.warning).toMatch(/Choose how/);
    const mail = activationReducer(begun(of), { type: 'warning-chosen', warning: 'mail' });
    expect(whatIsAsked(of, mail, false).missing.warning).toMatch(/No address/);
  });

  it('are asked of a watch for silence alone', () => {
    const of = scroll({ triggerType: 'date' });
    expect(whatIsAsked(of, begun(of), false)).toMatchObject({
      asksWarning: false,
      missing: { warning: null },
    });
  });
});

it('a label is asked of nobody, and one that a mail could make a link of is refused', () => {
  const labelled = (label: string) =>
    whatIsAsked(scroll(), activationReducer(begun(scroll()), { type: 'label-written', label }), true);
  expect(whatIsAsked(scroll(), begun(scroll()), true).missing.label).toBeNull();
  expect(labelled('For Anna (the house)').missing.label).toBeNull();
  expect(labelled('see www.evil.example').missing.label).toMatch(/full stop/);
});
