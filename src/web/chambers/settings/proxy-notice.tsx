// Tells the administrator that a reverse proxy stands before this server which TRUSTED_PROXIES does not name. Nothing at
// all while there is none, or while nobody can say.
import { useQuery } from '@tanstack/react-query';
import { serverNotices } from '../../../shared/server-notices.ts';
import { useApi } from '../../api/services.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';

export function ProxyNotice() {
  const { send } = useApi();
  const notices = useQuery({
    queryKey: [serverNotices.get.path],
    queryFn: () => send(serverNotices.get, {}),
    refetchOnMount: 'always',
  });
  const since = notices.data?.undeclaredProxySince;
  if (!since) return null;
  return (
    <Section
      title="Undeclared proxy"
      says="Requests reach this server through a proxy that TRUSTED_PROXIES does not name."
    >
      <p className="wrap-anywhere">
        The first such request since this server started came on {formatMoment(since)}. Everybody behind the
        proxy counts as one visitor, so a limit that one of them reaches stops all of them. Set
        TRUSTED_PROXIES to the address of the proxy, and restart the server.
      </p>
    </Section>
  );
}
