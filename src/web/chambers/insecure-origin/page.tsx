// Shown in place of the app where the browser has no WebCrypto: plain http away from localhost. It tells whoever runs
// the server what to do, and must not pretend that a visitor can help it.
import { Room, Shell } from '../../ui/page.tsx';

const caddyfile = `vault.example.org {
  reverse_proxy 127.0.0.1:3000
}`;

const setting = 'PUBLIC_URL=https://vault.example.org';

export function InsecureOriginDocument() {
  return (
    <Shell>
      <Room
        sigil="unlock"
        align="start"
        width="prose"
        title="This page needs https"
        lead="Away from localhost, browsers keep WebCrypto, the means to seal and to open, for pages that come over https. This one came over plain http. Nothing could be sealed here, so nothing is asked of you."
      >
        <div className="grid grid-cols-1 gap-9 border-t border-line pt-8">
          <p className="text-dust">If this server is yours, two things put it right.</p>
          <Step title="Put a server with a certificate before it">
            <p>With Caddy this is the whole file. It fetches the certificate, and renews it.</p>
            <Machine label="Caddyfile">{caddyfile}</Machine>
          </Step>
          <Step title="Tell the server its name">
            <p>
              Start it with this in its environment. The name fixes the origin that passkeys belong to, so
              choose it once.
            </p>
            <Machine label="Environment">{setting}</Machine>
          </Step>
          <p className="text-small text-shade">
            On the machine itself, <code>http://localhost:3000</code> opens without any of this.
          </p>
        </div>
      </Room>
    </Shell>
  );
}

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-display text-name font-medium">{title}</h2>
      <div className="grid grid-cols-1 gap-4 text-note text-dust">{children}</div>
    </section>
  );
}

function Machine({ label, children }: { label: string; children: string }) {
  return (
    <figure className="border border-line bg-ink-1">
      <figcaption className="label border-b border-line px-4 py-2.5 text-dust">{label}</figcaption>
      <pre className="px-4 py-4 wrap-anywhere whitespace-pre-wrap text-small/[1.7] text-verdigris">
        {children}
      </pre>
    </figure>
  );
}
