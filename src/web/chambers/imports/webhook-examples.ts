// How a first delivery is sent, for a terminal and for Node. docs/webhooks.md has the same texts, and a test runs them.

interface Target {
  url: string;
  secret: string;
}

/** POSIX shell, with openssl and curl. */
export const shellExample = ({ url, secret }: Target): string => `url='${url}'
secret='${secret}'
body='{"type":"memory.created","timestamp":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","data":{"title":"A first delivery","content":"Sent from a terminal."}}'
id="msg_$(openssl rand -hex 16)"
time=$(date +%s)
key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$time.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl --silent --show-error --write-out '%{http_code}\\n' "$url" \\
  --header 'content-type: application/json' --header "webhook-id: $id" \\
  --header "webhook-timestamp: $time" --header "webhook-signature: v1,$signature" --data-binary "$body"
`;

/** A module for Node 20 or later, without dependencies. */
export const nodeExample = ({
  url,
  secret,
}: Target): string => `import { createHmac, randomUUID } from 'node:crypto';

const url = '${url}';
const secret = '${secret}';
const body = JSON.stringify({
  type: 'memory.created',
  timestamp: new Date().toISOString(),
  data: { title: 'A first delivery', content: 'Sent by Node.' },
});
const id = \`msg_\${randomUUID()}\`;
const time = Math.floor(Date.now() / 1000);
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const signature = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest('base64');
const answer = await fetch(url, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': \`v1,\${signature}\`,
  },
  body,
});
console.log(answer.status);
`;
