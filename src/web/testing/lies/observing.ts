// What a person before a page sees of it, and what the page has done: everything by which two runs are compared.

import { REFUSING_PAGES } from './said.ts';

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

/** What those who hear the page are told of a notification, which stands on the page as well. */
const repeatsToast = (element: Element) =>
  element.getAttribute('role') === 'status' && element.textContent.startsWith('Notification');

/** What stands on the page, in its order. */
export function readPage(root: Element = document.body): Piece[] {
  const pieces: Piece[] = [];
  const add = (says: string, alert: string | null) => says && pieces.push({ says, alert });
  function visit(node: Node, alert: string | null): void {
    if (node.nodeType === 3) {
      add(tidy(node.textContent ?? ''), alert);
      return;
    }
    if (!(node instanceof Element) || SKIPPED.has(node.tagName) || repeatsToast(node)) return;
    const within =
      alert ??
      (node.matches(ALERTS) || isProblemOfField(node) || refuses(node) ? tidy(node.textContent ?? '') : null);
    for (const state of stateOf(node)) add(state, within);
    for (const child of node.childNodes) visit(child, within);
  }
  add(`address: ${window.location.pathname}${window.location.hash}`, null);
  visit(root, null);
  return pieces;
}
