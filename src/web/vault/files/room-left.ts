// How much room the open vault has for the files of what is brought in, asked of the server.
import { useQuery } from '@tanstack/react-query';
import { usage } from '../../../shared/nouns/usage.ts';
import { RoomForFiles, roomBeside } from '../../../vault/outbox/room-for-files.ts';
import { type OpenVault, useVault } from '../session/vault-context.ts';

/** What is used and what may be, asked once for all that show it. */
export function useUsage() {
  const { api, user } = useVault();
  return useQuery({
    queryKey: [usage.get.path, user.id],
    queryFn: () => api.send(usage.get, {}),
    refetchOnMount: 'always',
  });
}

/**
 * The room of an import that begins now. Where the server does not say, it is told when it refuses a file.
 * @param texts the length of the text of each entry, in bytes
 */
export async function roomForFiles(
  { api }: Pick<OpenVault, 'api'>,
  texts: readonly number[],
): Promise<RoomForFiles> {
  const used = await api.send(usage.get, {}).catch(() => null);
  return new RoomForFiles(used && roomBeside(used, texts));
}
