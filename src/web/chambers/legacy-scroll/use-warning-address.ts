// The addresses of an account that warnings go to. Nothing counts before somebody who reads what comes there has pressed.

import { useQueryClient } from '@tanstack/react-query';
import { normaliseAddress } from '../../../shared/nouns/scroll-recipients.ts';
import {
  secondWarning,
  type WarningChannel,
  warningAddress,
} from '../../../shared/nouns/warning-addresses.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { expectAsSent } from './as-sent.ts';

export function useWarningAddress() {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const queryKey = [warningAddress.get.path];
  // The press happens in another tab, or on another device; "Look again" asks for it.
  const query = useAnswer(warningAddress.get, { refetchOnMount: 'always' });
  return {
    query,
    /** Whether a mail would reach somebody. */
    proved: query.data?.address != null && query.data.provedAt !== null,
    async ask(address: string): Promise<void> {
      queryClient.setQueryData(
        queryKey,
        await send(warningAddress.put, { body: { address: address.trim() } }),
      );
    },
    async remove(): Promise<void> {
      await send(warningAddress.remove, {});
      await query.refetch();
    },
  };
}

export type WarningAddressHook = ReturnType<typeof useWarningAddress>;

/** The second address, by mail or by text message. */
export function useSecondWarning() {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const queryKey = [secondWarning.get.path];
  const query = useAnswer(secondWarning.get, { refetchOnMount: 'always' });
  return {
    query,
    async ask(channel: WarningChannel, address: string): Promise<void> {
      const body = { wantedChannel: channel, address: normaliseAddress(channel, address) };
      const reply = await send(secondWarning.put, { body });
      // Until it is confirmed, the one that was confirmed before is answered.
      if (reply.provedAt === null) expectAsSent({ channel, address: body.address }, reply);
      queryClient.setQueryData(queryKey, reply);
    },
    async remove(): Promise<void> {
      await send(secondWarning.remove, {});
      await query.refetch();
    },
  };
}

export type SecondWarningHook = ReturnType<typeof useSecondWarning>;
