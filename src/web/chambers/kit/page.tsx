// The kit on one page, every piece in every state, for people to look at while they build. Loaded in development only;
// what it says is said by nobody to nobody.
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink, type ButtonTone } from '../../ui/button.tsx';
import { ChamberNav } from '../../ui/chamber-nav.tsx';
import { Dots } from '../../ui/dots.tsx';
import { PublicNav } from '../../ui/nav.tsx';
import { Page, Shell } from '../../ui/page.tsx';
import { Sigil, sigilNames } from '../../ui/sigil.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Wheel } from '../../ui/wheel.tsx';
import { Fields } from './fields.tsx';
import { Layers } from './layers.tsx';
import './kit.css';
import { longWord } from './long-content.ts';
import { Part } from './part.tsx';
import { States } from './states.tsx';

export default function KitPage() {
  return (
    <Shell nav={<ChamberNav places={[{ to: '/kit', sigil: 'mark', name: 'The kit', chamber: '/kit' }]} />}>
      <Page
        eyebrow="In development only"
        title="The kit"
        lead="Every piece in every state. Narrow the window, use the keyboard alone, ask for stillness, force the colours."
        action={<Button tone="primary">One thing to do</Button>}
      >
        <Part title="Signs">
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-px border border-line bg-line">
            {sigilNames.map((name) => (
              <li key={name} className="grid justify-items-center gap-4 bg-ink-1 py-6">
                <Sigil name={name} />
                <span className="flex items-center gap-3">
                  <Sigil name={name} className="size-6 text-ember" />
                  <span className="caps text-dust">{name}</span>
                </span>
              </li>
            ))}
          </ul>
        </Part>
        <Part title="The wheel">
          <div className="flex flex-wrap gap-10">
            {[0, 1, 9, 13].map((lit) => (
              <Wheel key={lit} lit={lit} label={`${lit} of 13`} className="size-60 text-bone/40" />
            ))}
          </div>
        </Part>
        <Part title="Type and colour">
          <TypeAndColour />
        </Part>
        <Part title="Buttons">
          <Buttons />
        </Part>
        <Part title="Views">
          <Views />
        </Part>
        <Part title="Badges">
          <div className="flex flex-wrap gap-x-10 gap-y-4">
            <Badge variant="open">Always accessible</Badge>
            <Badge variant="unlocked">Unlocked</Badge>
            <Badge variant="locked">Locked until 14 June 2027</Badge>
            <Badge variant="danger">Revoked</Badge>
            <Badge>Draft</Badge>
            <Badge variant="locked">
              Locked until the first of January in the year two thousand and thirty-six, {longWord}
            </Badge>
          </div>
        </Part>
        <Fields />
        <Layers />
        <States />
        <Part title="For visitors">
          <div className="border border-line">
            <PublicNav
              links={[
                { label: 'The black scroll', href: '#a' },
                { label: 'The thirteen', href: '#b' },
              ]}
            />
          </div>
        </Part>
      </Page>
    </Shell>
  );
}

function Views() {
  const [view, setView] = useState<'one' | 'other'>('one');
  return (
    <Tabs
      label="Views"
      views={[
        { value: 'one', label: 'One view' },
        { value: 'other', label: 'Another' },
      ]}
      value={view}
      onChange={setView}
    >
      <p className="flex flex-wrap gap-8 border-t border-line py-6">
        {[1, 2, 3, 4, 5].map((value) => (
          <span key={value} className="inline-flex items-center gap-3">
            <Dots
              value={value}
              max={5}
              className={view === 'one' ? 'text-weight-green' : 'text-weight-red'}
            />
            {value} of 5
          </span>
        ))}
      </p>
    </Tabs>
  );
}

const tones: ButtonTone[] = ['primary', 'quiet', 'destructive', 'caps', 'caps-lit'];

function Buttons() {
  return (
    <div className="grid gap-6">
      {tones.map((tone) => (
        <div key={tone} className="flex flex-wrap items-center gap-5">
          <Button tone={tone}>Seal Memory</Button>
          <Button tone={tone} size="small">
            Small
          </Button>
          <Button tone={tone} busy>
            Seal Memory
          </Button>
          <Button tone={tone} busy busyLabel="Sealing...">
            Seal Memory
          </Button>
          <Button tone={tone} busyLabel="Sealing...">
            Continue
          </Button>
          <Button tone={tone} disabled>
            Disabled
          </Button>
          <ButtonLink tone={tone} to="/kit">
            A link inside
          </ButtonLink>
          <ButtonLink tone={tone} href="/kit">
            A link out
          </ButtonLink>
        </div>
      ))}
      <div className="grid max-w-gate gap-4">
        <Button tone="primary" wide>
          Enter with a passkey
        </Button>
        <Button wide>A button whose words are far too many for the width that it was given here</Button>
      </div>
    </div>
  );
}

const writing = [
  'text-bone',
  'text-dust',
  'text-shade',
  'text-ember',
  'text-blood',
  'text-verdigris',
  'text-moon',
  'text-weight-blue',
  'text-weight-green',
  'text-weight-yellow',
  'text-weight-red',
];

function TypeAndColour() {
  return (
    <div className="grid gap-10">
      <div className="grid gap-5 wrap-anywhere">
        <p className="font-display text-hero font-light tracking-tight">
          Sacred <em>Memory</em>
        </p>
        <p className="font-display text-title font-light tracking-tight">29 days, 14 hours</p>
        <p className="font-display text-heading">The bell under the lake</p>
        <p className="font-display text-name font-medium">For the morning of the wedding, 14 June 2036</p>
        <p className="text-read">Every morning she walked out in a torn blue coat, 1234567890.</p>
        <p>Sealed 3 March 2026. Nobody here can read your answer. Łódź, Åse, Ærø, naïve, Þórr.</p>
        <p className="text-small">The smallest of the reading sizes, for hints and errors.</p>
        <p className="caps">Caps 0123456789</p>
        <p>
          Machines say <code>7c1e 04ab 93f0 5d2e</code>.
        </p>
      </div>
      {['bg-ink-0', 'bg-ink-1', 'bg-ink-2'].map((ink) => (
        <p key={ink} className={`flex flex-wrap gap-6 border border-line p-5 ${ink}`}>
          {writing.map((colour) => (
            <span key={colour} className={colour}>
              {colour.slice(5)} on {ink.slice(3)}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}
