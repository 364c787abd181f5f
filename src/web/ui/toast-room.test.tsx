// The room that is kept for a toast. How it looks is seen by e2e/focus-and-toasts.spec.ts.
import { afterEach, expect, test, vi } from 'vitest';
import { keepRoom } from './toast-room.ts';

/** Puts an element where happy-dom, which lays nothing out, would not. Left, top, width and height in CSS pixels. */
function standing(element: HTMLElement, ...[left, top, width, height]: [number, number, number, number]) {
  element.getBoundingClientRect = () => new DOMRect(left, top, width, height);
  return element;
}

afterEach(() => document.body.replaceChildren());

const rooms = () => {
  const { style } = document.documentElement;
  return [style.getPropertyValue('--toast-height'), style.getPropertyValue('--toast-room')];
};

function corner(left: number): HTMLElement {
  const list = document.createElement('ol');
  list.append(standing(document.createElement('li'), left, 780, 372, 96));
  Object.defineProperty(list, 'offsetHeight', { value: 120 });
  document.body.append(list);
  return list;
}

function dialog(left: number, width: number): HTMLElement {
  const layer = document.createElement('div');
  layer.dataset.veil = '';
  layer.dataset.state = 'open';
  const content = standing(document.createElement('div'), left, 40, width, 800);
  content.setAttribute('role', 'dialog');
  layer.append(content);
  document.body.append(layer);
  return layer;
}

test('a dialog that reaches into the corner ends above the toast, and one beside it stays as it is', async () => {
  const end = keepRoom(corner(1044));
  expect(rooms()).toEqual(['120px', '0px']);
  const beside = dialog(340, 700);
  await new Promise(requestAnimationFrame);
  expect(rooms()).toEqual(['120px', '0px']);
  beside.remove();
  dialog(300, 840);
  await vi.waitFor(() => expect(rooms()).toEqual(['120px', 'calc(120px + var(--bar))']));
  end();
  expect(rooms()).toEqual(['', '']);
});

test('what says why something failed is brought into sight once there is room for the toast', () => {
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
  const layer = dialog(0, 390);
  for (const text of ['before', 'now']) {
    const said = document.createElement('p');
    said.dataset.said = text;
    layer.firstElementChild?.append(said);
  }
  const end = keepRoom(corner(0));
  expect(shown.mock.contexts).toEqual([layer.querySelector('[data-said=now]')]);
  expect(shown).toHaveBeenCalledWith({ block: 'nearest' });
  end();
});

const pressedAt = (...place: [number, number, number, number]) => {
  const button = standing(document.createElement('button'), ...place);
  document.body.append(button);
  return button;
};

test.each([
  ['has the focus', (button: HTMLElement) => button.focus()],
  ['was touched and has no focus', (button: HTMLElement) => button.click()],
])('a button of a page that %s is moved out from beneath a toast', (_, press) => {
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockClear();
  const button = pressedAt(20, 790, 350, 50);
  press(button);
  const end = keepRoom(corner(10));
  expect(shown.mock.contexts).toEqual([button]);
  expect(shown).toHaveBeenCalledWith({ block: 'nearest' });
  end();
});

test('a button beside or above a toast, and what fills the window, is not moved', () => {
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockClear();
  const places: [number, number, number, number][] = [
    [20, 790, 350, 50],
    [1050, 600, 200, 50],
    [0, 0, 1440, 2000],
  ];
  for (const place of places) {
    pressedAt(...place).focus();
    keepRoom(corner(1044))();
  }
  expect(shown).not.toHaveBeenCalled();
});

test('a text that somebody types does not jump', () => {
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockClear();
  const field = standing(document.createElement('textarea'), 20, 790, 350, 50);
  document.body.append(field);
  field.focus();
  keepRoom(corner(10))();
  expect(shown).not.toHaveBeenCalled();
});
