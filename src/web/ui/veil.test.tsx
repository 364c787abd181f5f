// Where the focus is when one dialog takes another one's place, below the browser.
import { screen, waitFor } from '@testing-library/dom';
import { useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

let root: Root | null = null;
afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
});

function Steps() {
  const [step, setStep] = useState(0);
  return (
    <main>
      <Button onClick={() => setStep(1)}>Begin</Button>
      {step === 1 && (
        <Dialog key="first" open onClose={() => setStep(0)} title="First">
          <Button onClick={() => setStep(2)}>Go on</Button>
        </Dialog>
      )}
      {step === 2 && (
        <Dialog key="second" open onClose={() => setStep(0)} title="Second">
          <input aria-label="Field" autoFocus />
        </Dialog>
      )}
    </main>
  );
}

/** Lets the layer that has gone give the focus back, which it does a moment later. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve));

test('a dialog that takes the place of another keeps the focus, and gives it back to where the first one came from', async () => {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<Steps />);
  const begin = await screen.findByRole('button', { name: 'Begin' });
  begin.focus();
  begin.click();
  (await screen.findByRole('button', { name: 'Go on' })).focus();
  screen.getByRole('button', { name: 'Go on' }).click();
  const field = await screen.findByRole('textbox', { name: 'Field' });
  await aMoment();
  expect(document.activeElement).toBe(field);
  screen.getByRole('button', { name: 'Close' }).click();
  await waitFor(() => expect(document.activeElement).toBe(begin));
});
