// The terminal on a page without the app: a root of its own, with calls and styles of its own.
import { createRoot } from 'react-dom/client';
import { createServices, ServicesProvider } from '../api/services.tsx';
import Terminal from './terminal.tsx';

/** The page's sheet has only what the page itself uses. @throws Error when the terminal's cannot be fetched */
function loadStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error('the styles of the terminal could not be fetched'));
    };
    document.head.append(link);
  });
}

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
        <Terminal open={open} onClose={() => render(false)} />
      </ServicesProvider>,
    );
  }
  render(false);
  return () => render(true);
}
