// What the dashboard says before its doors: that a scroll is near its release, that the switch does not work just now,
// and that words were left here.

import { sentenceOf } from '../../../vault/api/api-error.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Notice } from './notice.tsx';
import { GuardiansNotice, type Near, NearReleaseNotice } from './still-here.tsx';
import { CalendarNotice, FailingNotice, SwitchNotice, type SwitchShown } from './switch-notices.tsx';

interface NoticesProps extends SwitchShown {
  near: Near | null;
  /** How many guardians' kits were asked for. */
  asked: number;
  /** How many were asked for and stopped lately. */
  stopped: number;
  /** How many whispers nobody has opened. */
  whispers: number;
  /** What the chambers count, as far as it was answered. */
  counts: { isError: boolean; isFetching: boolean; error: unknown; refetch(): Promise<unknown> };
}

export default function Notices({
  near,
  asked,
  stopped,
  watching,
  unsent,
  state,
  whispers,
  counts,
}: NoticesProps) {
  return (
    <>
      {counts.isError && (
        <ErrorState
          title="What you keep could not be counted"
          onRetry={() => void counts.refetch()}
          retrying={counts.isFetching}
        >
          {sentenceOf(counts.error)}
        </ErrorState>
      )}
      <GuardiansNotice asked={asked} stopped={stopped} />
      <NearReleaseNotice near={near} />
      <SwitchNotice watching={watching} state={state} />
      <CalendarNotice watching={watching} state={state} />
      <FailingNotice watching={watching} unsent={unsent} state={state} />
      <WhispersNotice unopened={whispers} />
    </>
  );
}

/** Words that other vaults have left for this one and that nobody has opened yet. */
function WhispersNotice({ unopened }: { unopened: number }) {
  if (unopened === 0) return null;
  return (
    <Notice
      id="whispers"
      title={unopened === 1 ? 'A whisper was left for you' : `${unopened} whispers were left for you`}
      action={<ButtonLink to="/legacy-scroll">Go to your whispers</ButtonLink>}
    >
      <p>
        {unopened === 1
          ? 'Somebody wrote it for your vault, and it has been sent to you.'
          : 'They were written for your vault, and have been sent to you.'}
      </p>
    </Notice>
  );
}
