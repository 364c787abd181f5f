// Reads hex as text, by the server: what it unlocks is known there alone.
import { type FormEvent, useState } from 'react';
import {
  type Decoded,
  game,
  HEX_TYPED_MAX,
  SHADOW_SCROLL_FILE,
  scrollFiles,
} from '../../../shared/nouns/game.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { unlock } from '../../game/decode.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { TextArea } from '../../ui/text-fields.tsx';
import { toast, toasts } from '../../ui/toast-store.ts';
import { hexOf } from './hex.ts';

/** For trying the decoder. They belong to no part of the puzzle. */
const PRESETS = [
  { label: 'Test string 1', text: 'A hiding place.' },
  { label: 'Test string 2', text: 'Look behind the word good.' },
].map(({ label, text }) => ({ label, hex: hexOf(text) }));

const SOURCES = [
  { value: '', label: 'Somewhere else' },
  ...[scrollFiles.signature, scrollFiles.scroll, SHADOW_SCROLL_FILE].map((name) => ({
    value: name,
    label: name,
  })),
];

export function Decoder() {
  const { send } = useApi();
  const [hexString, setHexString] = useState('');
  const [sourceFile, setSourceFile] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [decoded, setDecoded] = useState<Decoded | null>(null);

  async function decode(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setProblem(null);
    if (hexString.trim() === '') {
      toast({
        title: 'No Input',
        description: 'Enter a hex string to decode',
        tone: 'destructive',
        isMistake: true,
      });
      return;
    }
    setBusy(true);
    try {
      const found = await send(game.decode, { body: { hexString, sourceFile: sourceFile || null } });
      setDecoded(found);
      unlock(found);
    } catch (error) {
      setDecoded(null);
      toast({ title: 'Decode Failed', description: 'Unable to decode hex string', tone: 'destructive' });
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="grid gap-8">
      <form
        noValidate
        onInput={toasts.dismissMistake}
        onSubmit={(event) => void decode(event)}
        className="grid gap-6"
      >
        <div className="font-machine">
          <TextArea
            label="Hex string"
            rows={3}
            value={hexString}
            maxLength={HEX_TYPED_MAX}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setHexString(event.target.value)}
          />
        </div>
        <SelectField
          label="Found in"
          choices={SOURCES}
          value={sourceFile}
          onChange={(event) => setSourceFile(event.target.value)}
        />
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <Button type="submit" tone="primary" busy={busy} busyLabel="Decoding">
            Decode
          </Button>
          {PRESETS.map(({ label, hex }) => (
            <Button key={label} tone="caps" onClick={() => setHexString(hex)}>
              {label}
            </Button>
          ))}
        </div>
        <Problem>{problem}</Problem>
      </form>
      <div role="status">{decoded && <Result decoded={decoded} />}</div>
    </div>
  );
}

function Result({ decoded: { decoded, hint, unlocks, phase, source, timestamp } }: { decoded: Decoded }) {
  const rows: [name: string, value: string][] = [
    ...(hint === undefined ? [] : ([['Hint', hint]] as [string, string][])),
    ['Unlocks', unlocks.length > 0 ? unlocks.join(', ') : 'nothing'],
    ['Phase', phase === 0 ? 'none' : String(phase)],
    ['Source', source],
    ['Time', formatMoment(timestamp)],
  ];
  return (
    <section aria-labelledby="decoded" className="border border-line bg-ink-1 p-6 sm:p-9">
      <h3 id="decoded" className="label text-dust">
        Decoded message
      </h3>
      <p className="mt-3 font-display text-heading whitespace-pre-line wrap-anywhere">{decoded}</p>
      <dl className="mt-8 border-t border-line/70">
        {rows.map(([name, value]) => (
          <div
            key={name}
            className="grid gap-x-8 gap-y-1 border-b border-line/70 py-3.5 sm:grid-cols-[8rem_minmax(0,1fr)]"
          >
            <dt className="label pt-1.5 text-dust">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
