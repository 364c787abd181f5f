// Sets words that have marks, as every other reader of this server does.
import { createRoot } from 'react-dom/client';
import MarkedUpText from '../../ui/markdown/marked-up-text.tsx';

/** @param signal takes them away */
export function renderMarkedUp(place: Element, text: string, signal: AbortSignal): void {
  const root = createRoot(place);
  signal.addEventListener('abort', () => root.unmount());
  root.render(<MarkedUpText>{text}</MarkedUpText>);
}
