// Sets words that have marks, as every other reader of this server does.
import { createRoot } from 'react-dom/client';
import MarkedUpText from '../../ui/markdown/marked-up-text.tsx';

export const renderMarkedUp = (place: Element, text: string): void =>
  createRoot(place).render(<MarkedUpText>{text}</MarkedUpText>);
