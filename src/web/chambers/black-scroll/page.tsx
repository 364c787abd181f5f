// The black scroll within the app: the same words that visitors read, and for the administrator the whisper's replacement.
import { useState } from 'react';
import { holders } from '../../../shared/nouns/holders.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useUser } from '../../hooks/use-user.ts';
import { PageNav } from '../../shell/page-nav.tsx';
import { ReplaceWhisper } from '../../speech/replace-whisper.tsx';
import { TranscriptionCard } from '../../speech/transcription-card.tsx';
import { useWhisper } from '../../speech/use-whisper.ts';
import { WhisperButton } from '../../speech/whisper-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Shell } from '../../ui/page.tsx';
import { GatheringLine } from './gathering-line.tsx';
import { Part } from './part.tsx';
import { BlackScroll } from './scroll.tsx';
import { Verify } from './verify.tsx';

export default function BlackScrollPage() {
  const user = useUser().data;
  const whisper = useWhisper();
  const { data: gathering } = useAnswer(holders.check);
  return (
    <Shell nav={<PageNav />}>
      <title>The black scroll · Latebra</title>
      <BlackScroll
        inApp
        gathering={<GatheringLine count={gathering?.count ?? null} mint={gathering?.mint ?? null} />}
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
