// The terminal on a page without the app: a root of its own, with calls and styles of its own.
import { createRoot } from 'react-dom/client';
import { createServices, ServicesProvider } from '../api/services.tsx';
import { loadStyles } from '../load-styles.ts';
import Terminal from './terminal.tsx';

/**
 * Makes the terminal of a page.
 * @param styles where its stylesheet is
 * @returns what shows it; closing it gives the focus back to where it was
 */
export async function makeTerminal(styles: string): Promise<() => void> {
  await loadStyles(styles);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const services = createServices();
  function render(open: boolean): void {
    root.render(
      <ServicesProvider services={services}>
        <Terminal open={open} onClose={() => render(false)} visit={(path) => window.location.assign(path)} />
      </ServicesProvider>,
    );
  }
  render(false);
  return () => render(true);
}
