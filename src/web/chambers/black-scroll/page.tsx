// The black scroll within the app: the same words that visitors read, and for the administrator the whisper's replacement.
import { useState } from 'react';
import { useUser } from '../../hooks/use-user.ts';
import { ReplaceWhisper } from '../../speech/replace-whisper.tsx';
import { TranscriptionCard } from '../../speech/transcription-card.tsx';
import { useWhisper } from '../../speech/use-whisper.ts';
import { WhisperButton } from '../../speech/whisper-button.tsx';
import { Button } from '../../ui/button.tsx';
import { PublicNav } from '../../ui/nav.tsx';
import { Shell } from '../../ui/page.tsx';
import { SiteNav } from '../../vault/session/site-nav.tsx';
import { Part } from './part.tsx';
import { BlackScroll } from './scroll.tsx';
import { Verify } from './verify.tsx';

export default function BlackScrollPage() {
  const user = useUser().data;
  const whisper = useWhisper();
  return (
    <Shell nav={user ? <SiteNav /> : <PublicNav enter="/enter" />}>
      <title>The black scroll · Latebra</title>
      <BlackScroll
        whisper={<WhisperButton whisper={whisper} />}
        verify={<Verify />}
        transcription={<TranscriptionCard />}
        administration={user?.isAdmin && <Administration account={user.id} onReplaced={whisper.reload} />}
      />
    </Shell>
  );
}

function Administration({ account, onReplaced }: { account: string; onReplaced: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Part
      id="whisper"
      title="The whisper"
      says="You are an administrator here: you can replace what visitors hear."
    >
      {isOpen ? (
        <ReplaceWhisper account={account} onReplaced={onReplaced} onClose={() => setOpen(false)} />
      ) : (
        <div>
          <Button size="small" onClick={() => setOpen(true)}>
            Open Admin Panel
          </Button>
        </div>
      )}
    </Part>
  );
}
