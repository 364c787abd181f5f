import { screen, waitFor } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { TerminalButton } from './terminal-button.tsx';

test('a terminal that cannot be fetched leaves the page standing, and is fetched by the next press', async () => {
  const user = userEvent.setup({ delay: null });
  const Terminal = ({ open }: { open: boolean }) => (open ? <p>It has opened.</p> : null);
  const answers: (() => Promise<{ default: typeof Terminal }>)[] = [
    async () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    },
    async () => ({ default: Terminal }),
  ];
  const load = async () => {
    const answer = answers.shift();
    if (!answer) throw new Error('it was fetched already');
    return answer();
  };
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<TerminalButton load={load} />);
  const button = await screen.findByRole('button', { name: 'thirteen.sh' });
  await user.click(button);
  await screen.findByText('The terminal could not be loaded. Please try again.');
  await user.click(button);
  await screen.findByText('It has opened.');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  root.unmount();
});

test('a button says that the terminal is being fetched', async () => {
  const user = userEvent.setup({ delay: null });
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<TerminalButton load={() => new Promise(() => {})} />);
  const button = await screen.findByRole('button', { name: 'thirteen.sh' });
  await user.click(button);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  root.unmount();
});
