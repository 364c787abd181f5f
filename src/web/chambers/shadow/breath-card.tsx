// The breath ritual: how fast somebody breathes, for how long, and what that opens.
import { inMinutes } from '../../speech/audio-file.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Sigil } from '../../ui/sigil.tsx';
import { LOUD, RATE_MAX, rateOf, SESSION_MIN } from './breath.ts';
import { RhythmKey } from './rhythm-key.tsx';
import type { Breathing } from './use-breath.ts';

export function BreathCard({ breathing }: { breathing: Breathing }) {
  const { breath, source, refusal, isAsking } = breathing;
  const isUnlocked = breath.phase === 'unlocked';
  return (
    <section
      aria-labelledby="breath"
      className="grid content-start gap-8 border border-line bg-ink-1 p-6 sm:p-9"
    >
      <header className="grid gap-3">
        <h2 id="breath" className="font-display text-heading font-medium">
          The breath ritual
        </h2>
        <p className="text-dust">
          Breathe twelve times a minute at most, for three minutes, and the shadow opens. Time passes while
          breath is heard, and waits while none is. The microphone is listened to on this page alone: no sound
          leaves it, and none is kept.
        </p>
      </header>
      <div className="grid items-center gap-8 sm:grid-cols-[auto_minmax(0,1fr)]">
        <Lung level={source === null ? 0 : breath.level} isUnlocked={isUnlocked} />
        <dl className="grid gap-5">
          <Figure name="Current rate" value={rateOf(breath).toFixed(1)} unit="bpm" />
          <Figure name="Session time" value={inMinutes(breath.seconds)} />
          <div className="grid gap-1.5">
            <dt className="label text-dust">Monitoring</dt>
            <dd>
              <Badge variant={source === null ? 'plain' : 'open'}>{stateWords(breathing)}</Badge>
            </dd>
          </div>
        </dl>
      </div>
      {isUnlocked ? (
        <Unlocked />
      ) : (
        <ProgressBar
          label="The session"
          value={Math.min(breath.seconds, SESSION_MIN)}
          max={SESSION_MIN}
          valueText={`${inMinutes(breath.seconds)} of ${inMinutes(SESSION_MIN)}`}
        />
      )}
      {refusal && source === null && (
        <Problem>
          {refusal === 'refused'
            ? 'This browser was told not to listen. Allow the microphone for this site, or keep the rhythm with a key.'
            : 'No microphone was found. Keep the rhythm with a key.'}
        </Problem>
      )}
      {source === 'key' && <RhythmKey onKey={breathing.key} />}
      {!isUnlocked && (
        <div className="flex flex-wrap gap-4">
          {source === null ? (
            <Button
              size="small"
              busy={isAsking}
              busyLabel="Asking"
              onClick={() => breathing.begin('microphone')}
            >
              Listen by microphone
            </Button>
          ) : (
            <Button size="small" onClick={breathing.stop}>
              Stop monitoring
            </Button>
          )}
          {source !== 'key' && (
            <Button size="small" onClick={() => breathing.begin('key')}>
              Keep the rhythm with a key
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function stateWords({ source, breath, isAsking }: Breathing): string {
  if (isAsking) return 'Off: waiting for your permission';
  if (source === null) return 'Off';
  if (source === 'key') return 'On: by key';
  if (!breath.isHeard) return 'On: nothing comes from the microphone';
  if (breath.phase === 'calibrating') return 'On: listening to the silence of the room';
  if (!breath.isBreathing) return 'On: waiting for a breath';
  return rateOf(breath) > RATE_MAX ? 'On: slower' : 'On';
}

function Figure({ name, value, unit }: { name: string; value: string; unit?: string }) {
  return (
    <div className="grid gap-1.5">
      <dt className="label text-dust">{name}</dt>
      <dd className="font-display text-title font-light tabular-nums lining-nums">
        {value}
        {unit && <span className="ml-2 font-machine text-small text-dust">{unit}</span>}
      </dd>
    </div>
  );
}

/** A ring that widens with what is heard, against the ring at which it counts. */
function Lung({ level, isUnlocked }: { level: number; isUnlocked: boolean }) {
  const reach = Math.min(1.5, level / LOUD);
  return (
    <svg
      viewBox="-110 -110 220 220"
      className="size-48 justify-self-center text-dust sm:size-56"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <circle r="104" opacity=".35" strokeDasharray="1 7" />
      <circle r="68" opacity=".6" />
      <circle
        r="68"
        className={
          isUnlocked
            ? 'fill-ember/20 text-ember'
            : 'fill-ember/8 text-ember transition-transform duration-100'
        }
        stroke="currentColor"
        style={{ transform: `scale(${isUnlocked ? 1.5 : Math.max(0.08, reach)})` }}
        vectorEffect="non-scaling-stroke"
      />
      <circle r="2.5" className="fill-ember stroke-none" />
    </svg>
  );
}

function Unlocked() {
  return (
    <p className="flex items-center justify-center gap-4 border border-ember/60 bg-ember/7 px-5 py-5 text-ember">
      <Sigil name="unlock" className="size-8 shrink-0" />
      <span className="caps">SHADOW UNLOCKED</span>
    </p>
  );
}
