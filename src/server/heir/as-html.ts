// A page as one HTML file for printing: a stylesheet inside, nothing that is fetched, and no script.
import type { Block, Page, Step } from './blocks.ts';

const STYLE = `
@page { size: A4; margin: 20mm 18mm; }
* { box-sizing: border-box; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; background: #fff; color: #111; font: 1.125rem/1.5 Georgia, "Times New Roman", serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.4rem; line-height: 1.25; margin: 2.2rem 0 0.6rem; padding-bottom: 0.2rem; border-bottom: 2px solid #111; break-after: avoid; }
h3 { font-size: 1.125rem; margin: 1.4rem 0 0.4rem; break-after: avoid; }
p, ul, ol, dl, pre { margin: 0.6rem 0; }
li { margin: 0.3rem 0; break-inside: avoid; }
pre { padding: 0.5rem 0.8rem; border-left: 4px solid #555; background: #f3f3f3; font: 1rem/1.5 "DejaVu Sans Mono", Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; break-inside: avoid; }
.checks { list-style: none; padding-left: 0; }
.checks li { position: relative; padding-left: 1.8rem; }
.checks li::before { content: ""; position: absolute; left: 0; top: 0.28em; width: 0.95rem; height: 0.95rem; border: 1.5px solid #111; }
dt { font-weight: bold; margin-top: 0.4rem; break-after: avoid; }
dd { margin: 0; overflow-wrap: anywhere; }
.blank { display: flex; align-items: flex-end; gap: 0.5rem; min-height: 2.4rem; break-inside: avoid; }
.blank span { flex: 1 0 8rem; border-bottom: 1px solid #111; }
.note { padding: 0.8rem 1rem; border: 1px solid #555; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 13pt; } pre { font-size: 11pt; } }
`;

export function asHtml({ title, made, blocks }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="robots" content="noindex">
<title>${safe(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${safe(title)}</h1>
<p>${safe(made)}</p>
${blocks.map(htmlOf).join('\n')}
</body>
</html>
`;
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${safe(block.text)}</h2>`;
    case 'subheading':
      return `<h3>${safe(block.text)}</h3>`;
    case 'text':
      return `<p>${safe(block.text)}</p>`;
    case 'commands':
      return preformatted(block.commands);
    case 'list':
      return `<ul>${items(block.items)}</ul>`;
    case 'checks':
      return `<ul class="checks">${items(block.items)}</ul>`;
    case 'steps':
      return `<ol>${block.steps.map(stepOf).join('')}</ol>`;
    case 'pairs':
      return `<dl>${block.pairs.map(([label, value]) => `<dt>${safe(label)}</dt><dd>${safe(value)}</dd>`).join('')}</dl>`;
    case 'blanks':
      return block.labels.map((label) => `<p class="blank">${safe(label)}:<span></span></p>`).join('\n');
    case 'note':
      return `<div class="note">${safe(block.text)}</div>`;
  }
}

const items = (texts: string[]) => texts.map((text) => `<li>${safe(text)}</li>`).join('');
const stepOf = ({ text, commands = [] }: Step) =>
  `<li>${safe(text)}${commands.length > 0 ? preformatted(commands) : ''}</li>`;
const preformatted = (commands: string[]) => `<pre>${safe(commands.join('\n'))}</pre>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const safe = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
