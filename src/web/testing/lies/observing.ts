// What a person before a page sees of it, and what the page has done: everything by which two runs are compared.

import { CHANGED_ENTRY, REFUSING_PAGES, WAITING } from './said.ts';

/** A piece of what the page says: a text, or the state of a control. */
export interface Piece {
  says: string;
  /** The whole text of the alert, or the notification, that it is a part of; null outside every one. */
  alert: string | null;
}

export interface Observation {
  /** What the page said after each step of the journey, as far as it came. */
  stages: Piece[][];
  /** The calls it sent, with their bodies. */
  sent: string[];
  /** What it keeps in this browser, and what it has saved as a file. */
  kept: string[];
  /** What it has kept in this browser at some time, and may have exchanged since. */
  keptMeanwhile: string[];
}

const ALERTS = '[role="alert"], [data-toasts] li';
const SKIPPED = new Set(['SCRIPT', 'STYLE', 'TITLE', 'svg', 'SVG', 'TEMPLATE']);
/** The corner of notifications stands there from the first touch on, empty or not. */
const CORNER = /^Notifications/;
/** Attributes that people are told of, or are led by. */
const TOLD = [
  'href',
  'aria-label',
  'aria-invalid',
  'aria-valuetext',
  'placeholder',
  'datetime',
  'alt',
  'title',
];

const BUSY = 'busy';

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim();

function stateOf(element: Element): string[] {
  const said = TOLD.flatMap((name) => {
    const value = element.getAttribute(name);
    return value && !CORNER.test(value) ? [`${name}: ${tidy(value)}`] : [];
  });
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const isTicked = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
    said.push(
      isTicked ? `ticked: ${(element as HTMLInputElement).checked}` : `typed: ${tidy(element.value)}`,
    );
  }
  if (element instanceof HTMLSelectElement) said.push(`chosen: ${element.value}`);
  if (element.matches(':disabled')) said.push('disabled');
  return said;
}

/** Whether this says what is wrong with a field. */
const isProblemOfField = ({ id }: Element) =>
  id !== '' &&
  document.querySelector(`[aria-invalid="true"][aria-describedby~="${CSS.escape(id)}"]`) !== null;

/** Whether a page is nothing but a refusal, which its heading says. */
function refuses(element: Element): boolean {
  if (!element.matches('main')) return false;
  const heading = tidy(element.querySelector('h1')?.textContent ?? '');
  return REFUSING_PAGES.some((phrase) => phrase.test(heading));
}

/** Whether this says that something has not come yet, and nothing else. */
const waits = (element: Element) =>
  element.matches('[aria-busy="true"], [role="status"]') && WAITING.test(tidy(element.textContent ?? ''));

/** Whether this asks its owner to prove who they are: nothing is done before that. */
const asksForProof = (element: Element) =>
  element.matches('[role="dialog"]') &&
  /^Is it still you\?$/.test(tidy(element.querySelector('h2')?.textContent ?? ''));

/** A row or a dialog of one entry that is said to be changed. */
const isChangedEntry = (element: Element) =>
  element.matches('li, article, [role="dialog"]') && CHANGED_ENTRY.test(tidy(element.textContent ?? ''));

/** What those who hear the page are told of a notification, which stands on the page as well. */
const repeatsToast = (element: Element) =>
  element.getAttribute('role') === 'status' && element.textContent.startsWith('Notification');

/** What stands on the page, in its order. */
export function readPage(root: Element = document.body): Piece[] {
  const pieces: Piece[] = [];
  const add = (says: string, alert: string | null) => says && pieces.push({ says, alert });
  function visit(node: Node, alert: string | null): void {
    if (node.nodeType === 3) {
      // One sentence may stand in several texts side by side: it is one to whoever reads it.
      if (node.previousSibling?.nodeType === 3) return;
      let text = '';
      for (let next: Node | null = node; next?.nodeType === 3; next = next.nextSibling)
        text += next.textContent ?? '';
      add(tidy(text), alert);
      return;
    }
    if (!(node instanceof Element) || SKIPPED.has(node.tagName) || repeatsToast(node)) return;
    const within =
      alert ??
      (node.matches(ALERTS) ||
      isProblemOfField(node) ||
      refuses(node) ||
      waits(node) ||
      asksForProof(node) ||
      isChangedEntry(node)
        ? tidy(node.textContent ?? '')
        : null);
    for (const state of stateOf(node)) add(state, within);
    // Whoever pressed it sees that nothing has come of it yet.
    if (node.matches('button[aria-busy="true"]')) add(BUSY, BUSY);
    for (const child of node.childNodes) visit(child, within);
  }
  add(`address: ${window.location.pathname}${window.location.hash}`, null);
  visit(root, null);
  return pieces;
}
