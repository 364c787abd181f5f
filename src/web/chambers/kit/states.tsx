// The kit page's part about waiting, emptiness and failure.
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { longTitle, longWord } from './long-content.ts';
import { Part } from './part.tsx';

/** Not yet, nothing, and not at all. */
export function States() {
  return (
    <>
      <Part title="Waiting">
        <Spinner label="Opening 41 memories" />
        <LoadingRows rows={3} />
        <div className="grid max-w-form gap-8">
          <ProgressBar label="Gathered" value={9} max={13} valueText="9 of 13" />
          <ProgressBar label="Re-sealing" value={0} />
          <ProgressBar label="Done" value={100} />
          <ProgressBar label="Nobody knows how long" />
        </div>
        <div className="max-h-100 overflow-hidden border border-line">
          <Spinner screen label="The door is opening" />
        </div>
      </Part>
      <Part title="Empty, and broken">
        <div className="grid gap-8 md:grid-cols-2">
          <div className="border border-line">
            <EmptyState
              sigil="memory"
              title="Nothing is kept here yet"
              action={<Button tone="primary">New Memory</Button>}
            >
              What you seal here is unreadable to this server, and stays so.
            </EmptyState>
          </div>
          <div className="border border-line">
            <ErrorState onRetry={() => {}}>503: the vault is resting</ErrorState>
          </div>
          <div className="border border-line">
            <EmptyState title={longTitle}>{longWord}</EmptyState>
          </div>
          <div className="border border-line">
            <ErrorState title={longTitle} onRetry={() => {}} retrying>
              {longWord}
            </ErrorState>
          </div>
        </div>
      </Part>
      <Part title="Rooms">
        <div className="flex border border-line">
          <Room sigil="mark" title="The gate" lead="Sign in with a passkey. No e-mail is needed.">
            <Button tone="primary" wide>
              Enter with a passkey
            </Button>
            <Button wide>First time here</Button>
          </Room>
        </div>
        <div className="flex border border-line">
          <Room eyebrow="The sacred questions · 2 of 3" title="Who do you trust?" align="start" width="form">
            <p className="text-shade">Sealed in this browser before it leaves.</p>
          </Room>
        </div>
      </Part>
    </>
  );
}
