// Tells the administrator that a reverse proxy seems to stand before this server which TRUSTED_PROXIES does not name, and
// what to do about it. Nothing at all while there is none, or while nobody can say.
import { serverNotices } from '../../../shared/nouns/server-notices.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { formatMoment } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';

export function ProxyNotice() {
  const notices = useAnswer(serverNotices.get, { refetchOnMount: 'always' });
  const proxies = notices.data?.undeclaredProxies;
  const first = proxies?.[0];
  if (!first) return null;
  return (
    <Section
      title="Undeclared proxy"
      says="Requests reach this server with headers that reverse proxies add, from an address that TRUSTED_PROXIES does not name."
    >
      <p>The first came on {formatMoment(first.since)}. Since this server started they have come from:</p>
      <ul className="grid gap-1 font-machine text-body">
        {proxies.map(({ address }) => (
          <li key={address} className="wrap-anywhere">
            {address}
          </li>
        ))}
      </ul>
      <p>
        <strong className="font-medium text-bone">If a reverse proxy of yours stands there:</strong> add{' '}
        {proxies.length > 1 ? (
          'its address'
        ) : (
          <code className="font-machine wrap-anywhere">{first.address}</code>
        )}{' '}
        to TRUSTED_PROXIES in the configuration, and start the server anew. Until then everybody behind the
        proxy counts as one visitor, and a limit that one of them reaches stops all of them.
      </p>
      <p className="text-dust">
        If none does, leave TRUSTED_PROXIES as it is: somebody on this machine or in your own network sends
        these headers, and they are not believed.
      </p>
    </Section>
  );
}
