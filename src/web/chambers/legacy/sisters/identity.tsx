// By which 32 characters this instance is known to others.
import { useQuery } from '@tanstack/react-query';
import { inFours } from '../../../../shared/in-fours.ts';
import { refusedAs, sentenceOf } from '../../../../vault/api/api-error.ts';
import { makeCall } from '../../../../vault/api/plain-call.ts';
import { identityCall } from '../../../../vault/legacy/sister-calls.ts';
import { useApi } from '../../../api/services.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { HomeNav } from '../../../ui/nav.tsx';
import { Room, Shell } from '../../../ui/page.tsx';
import { Spinner } from '../../../ui/spinner.tsx';

export default function Identity() {
  const { fetch } = useApi();
  const identity = useQuery({
    queryKey: [identityCall.path],
    queryFn: () => makeCall(fetch, identityCall, { params: {} }),
  });
  return (
    <Shell nav={<HomeNav />}>
      <title>Sisters · Latebra</title>
      <Found {...identity} />
    </Shell>
  );
}

function Found({
  data,
  isPending,
  error,
  refetch,
  isFetching,
}: ReturnType<typeof useQuery<{ address: string }>>) {
  if (isPending) return <Spinner screen />;
  if (refusedAs(error, 'not-found')) {
    return (
      <Room
        sigil="legacy"
        width="prose"
        title="No sisters"
        lead="This server is joined with no other, and keeps no letter for any."
      />
    );
  }
  if (!data) {
    return (
      <Room sigil="ash" title="The server does not answer" lead={sentenceOf(error)}>
        <Button onClick={() => void refetch()} busy={isFetching} busyLabel="Looking">
          Look again
        </Button>
      </Room>
    );
  }
  return (
    <Room
      sigil="legacy"
      width="prose"
      title="The address of this server"
      lead="Servers that are joined keep letters for each other’s members. Before you leave a letter with this one, compare these 32 characters with those that your own server shows for it."
    >
      <p className="font-machine text-body text-balance wrap-anywhere">{inFours(data.address)}</p>
      <CopyButton value={data.address}>Copy address</CopyButton>
    </Room>
  );
}
