// Brings the islands of the pre-rendered black scroll to life, under one root: what they show is what stood there.
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createServices, ServicesProvider } from '../../api/services.tsx';
import { loadStyles } from '../../load-styles.ts';
import { TranscriptionCard } from '../../speech/transcription-card.tsx';
import { useWhisper } from '../../speech/use-whisper.ts';
import { WhisperButton } from '../../speech/whisper-button.tsx';
import { Toaster } from '../../ui/toaster.tsx';
import type { IslandName } from './document.tsx';
import { Verify } from './verify.tsx';

function WhisperIsland() {
  return <WhisperButton whisper={useWhisper()} />;
}

const islands: Record<IslandName, () => React.ReactNode> = {
  whisper: WhisperIsland,
  verify: Verify,
  transcription: TranscriptionCard,
};

/**
 * @param styles where the stylesheet of the islands is
 * @returns when they are shown
 * @throws Error when the stylesheet cannot be fetched
 */
export async function mountIslands(styles: string): Promise<void> {
  await loadStyles(styles);
  const places = [...document.querySelectorAll<HTMLElement>('[data-island]')];
  const services = createServices();
  const focused = document.activeElement;
  const focusedIn = places.findIndex((place) => place.contains(focused));
  const shown = new Promise<void>((resolve) => {
    for (const place of places) place.replaceChildren();
    createRoot(document.body.appendChild(document.createElement('div'))).render(
      <ServicesProvider services={services}>
        {places.map((place) => {
          const Shown = islands[place.dataset.island as IslandName];
          return createPortal(<Shown />, place, place.dataset.island);
        })}
        <Toaster />
        <Mounted then={resolve} />
      </ServicesProvider>,
    );
  });
  await shown;
  // Whoever came by keyboard stands where they stood.
  const name = focused?.textContent;
  const same = [...(places[focusedIn]?.querySelectorAll('button') ?? [])].find(
    (button) => button.textContent === name,
  );
  same?.focus();
}

/** Says when everything before it has been put on the page. */
function Mounted({ then }: { then: () => void }) {
  return <span hidden ref={(element) => (element ? then() : undefined)} />;
}
