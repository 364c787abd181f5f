// How much of its room on the server this vault uses.
import { Link } from 'wouter';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { useUsage } from '../../vault/files/room-left.ts';
import { PlanLink } from '../../vault/plan/plan-limit.tsx';

const counted = (count: number) => count.toLocaleString('en-GB');

export function Storage() {
  return (
    <Section
      title="Storage"
      says="What the server stores for you. Entries, links, letters, keys and messages all count. So does what you deleted, until it is deleted for good."
    >
      <Used />
    </Section>
  );
}

function Used() {
  const used = useUsage();
  if (used.isPending) return <LoadingRows rows={2} label="Fetching how much is used" />;
  if (used.isError)
    return (
      <ErrorState onRetry={() => void used.refetch()} retrying={used.isFetching}>
        {sentenceOf(used.error)}
      </ErrorState>
    );
  const { bytes, bytesMax, rows, rowsMax } = used.data;
  return (
    <>
      <ProgressBar
        label="Space used"
        value={bytes}
        max={bytesMax}
        valueText={`${formatBytes(bytes)} of ${formatBytes(bytesMax)}`}
      />
      <ProgressBar
        label="Items stored"
        value={rows}
        max={rowsMax}
        valueText={`${counted(rows)} of ${counted(rowsMax)}`}
      />
      {(bytes >= bytesMax || rows >= rowsMax) && (
        <p className="text-note text-blood">
          Your vault is full. You can read, export and delete what is here. To write something new, delete
          something and then{' '}
          <Link href="/recently-deleted" className="underline underline-offset-4 hover:text-ember">
            delete it for good
          </Link>
          , or ask the administrator for more room. <PlanLink />
        </p>
      )}
    </>
  );
}
