// The audio page: the whisper, recordings that become text, and a panel that a key combination shows.
import { useEffect, useState } from 'react';
import { useUser } from '../../hooks/use-user.ts';
import { PageNav } from '../../shell/page-nav.tsx';
import { ReplaceWhisper } from '../../speech/replace-whisper.tsx';
import { TranscriptionCard } from '../../speech/transcription-card.tsx';
import { useWhisper, type Whisper } from '../../speech/use-whisper.ts';
import { WhisperButton } from '../../speech/whisper-button.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Shell } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { Sigil } from '../../ui/sigil.tsx';

/** How long the page stays dark, in milliseconds. */
const REVEAL_AFTER = 800;

export default function WhisperPage() {
  const user = useUser().data;
  const whisper = useWhisper();
  const isRevealed = useReveal();
  return (
    <Shell nav={<PageNav />}>
      <title>The whisper · Latebra</title>
      <div
        aria-busy={!isRevealed}
        className={classes('flex flex-1 flex-col', isRevealed ? 'animate-appear' : 'invisible')}
      >
        <header className="candle-below grid justify-items-center gap-6 px-5 pt-12 pb-16 text-center sm:pt-20 sm:pb-24">
          <Sigil
            name="breath"
            className={classes('size-20 text-ember', whisper.isPlaying && 'animate-breathe')}
          />
          <h1 className="font-display text-title font-light tracking-tight">The whisper</h1>
          <p className="max-w-gate text-balance text-dust">
            One voice, a little slower than it spoke. Everybody who comes here hears the same.
          </p>
          <WhisperButton whisper={whisper} />
        </header>
        <div className="wrap pb-24">
          <Section
            title="A voice, written down"
            says="Select a recording, and its words come back as text. Nothing is sent before you press Transcribe."
          >
            <TranscriptionCard />
          </Section>
          <HiddenPanel admin={user?.isAdmin ? user.id : null} whisper={whisper} />
        </div>
      </div>
    </Shell>
  );
}

function useReveal(): boolean {
  const [isRevealed, setRevealed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRevealed(true), REVEAL_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return isRevealed;
}

/** Ctrl+Shift+A shows and hides it. Everybody can find it, and only an administrator can use it. */
function HiddenPanel({ admin, whisper }: { admin: string | null; whisper: Whisper }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!event.ctrlKey || !event.shiftKey || event.key.toLowerCase() !== 'a') return;
      event.preventDefault();
      setOpen((before) => !before);
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const close = () => setOpen(false);
  if (!isOpen) return null;
  return (
    <Section title="The other side" says="Where the whisper is replaced.">
      {admin === null ? (
        <div className="grid justify-items-start gap-5 border border-line bg-ink-1 p-6 sm:p-9">
          <p className="text-dust">
            Only an administrator of this server, signed in, can replace the whisper.
          </p>
          <Button size="small" onClick={close}>
            Close
          </Button>
        </div>
      ) : (
        <ReplaceWhisper account={admin} onReplaced={whisper.reload} onClose={close} />
      )}
    </Section>
  );
}
