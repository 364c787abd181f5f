// Where toasts stand as the page changes beneath them. The choice of a place alone is tested in toast-place.test.ts.
import { expect, test, vi } from 'vitest';
import { keepOffControls } from './toast-place.ts';

const CORNER = { left: '1020px', top: '780px' };

/** Puts an element where happy-dom, which lays nothing out, would not. Left, top, width and height in CSS pixels. */
function standing(element: HTMLElement, ...[left, top, width, height]: [number, number, number, number]) {
  element.getBoundingClientRect = () => new DOMRect(left, top, width, height);
  return element;
}

test('a toast that gave way to a dialog has its corner back once that is closed, and hides no heading', async () => {
  vi.stubGlobal('innerWidth', 1440);
  vi.stubGlobal('innerHeight', 900);
  const root = document.documentElement;
  Object.defineProperty(root, 'clientWidth', { value: 1440, configurable: true });
  const corner = document.createElement('ol');
  corner.append(document.createElement('li'));
  Object.defineProperties(corner, { offsetWidth: { value: 420 }, offsetHeight: { value: 120 } });
  const heading = standing(document.createElement('h1'), 0, 120, 900, 80);
  document.body.append(heading, corner);

  const end = keepOffControls(corner);
  const place = () => ({ left: corner.style.left, top: corner.style.top });
  expect(place()).toEqual(CORNER);

  const layer = document.createElement('div');
  layer.dataset.veil = '';
  layer.dataset.state = 'open';
  layer.append(standing(document.createElement('button'), 400, 0, 1040, 900));
  document.body.append(layer);
  await vi.waitFor(() => expect(place()).not.toEqual(CORNER));
  layer.remove();
  await vi.waitFor(() => expect(place()).toEqual(CORNER));

  // Why something failed stays in sight; other text may lie beneath a toast.
  const said = standing(document.createElement('p'), 1100, 800, 300, 40);
  document.body.append(said);
  said.setAttribute('role', 'alert');
  await vi.waitFor(() => expect(place()).not.toEqual(CORNER));
  said.remove();
  // It stays where it was moved to while nothing else is in its way there.
  const layerAgain = document.createElement('div');
  layerAgain.dataset.veil = '';
  layerAgain.dataset.state = 'open';
  document.body.append(layerAgain);
  await vi.waitFor(() => expect(place()).toEqual(CORNER));
  layerAgain.remove();

  // A page whose right side is full: the toast is at its left, and beneath the heading.
  document.body.append(standing(document.createElement('button'), 430, 0, 1010, 900));
  document.body.append(standing(document.createElement('button'), 0, 330, 430, 570));
  await vi.waitFor(() => expect(corner.style.left).toBe('0px'));
  const top = Number.parseInt(corner.style.top, 10);
  expect(top >= 200 || top + 120 <= 120).toBe(true);

  end();
  document.body.replaceChildren();
  Reflect.deleteProperty(root, 'clientWidth');
  vi.unstubAllGlobals();
});
