// A workbench for players: a verification that fails on purpose, the hex decoder, and what this browser has unlocked.
import { FLAGS, type Flag, useFlag } from '../../game/flags.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { toast } from '../../ui/toaster.tsx';
import { Decoder } from './decoder.tsx';
import { SamplePosts } from './sample-posts.tsx';

const failOnPurpose = () =>
  toast({
    title: 'Verification Failed (Intentional)',
    description: 'Check the .sig file metadata for hex strings',
    tone: 'destructive',
  });

export default function TestVerificationPage() {
  return (
    <Chamber
      title="Test verification"
      eyebrow="The workbench"
      lead="Where what was found is tried: a signature that fails on purpose, a decoder for hex, and what this browser has unlocked so far."
    >
      <Section
        title="A failing signature"
        says="Shows what a failed verification looks like. Nothing is checked; the real check is on the black scroll."
      >
        <div>
          <Button onClick={failOnPurpose}>Simulate Failing Verification</Button>
        </div>
      </Section>
      <Section
        title="The hex decoder"
        says="Sixteen is a base. Any hex is read as text; what belongs to the puzzle unlocks something."
      >
        <Decoder />
      </Section>
      <Section
        title="What is unlocked"
        says="Two flags, kept in this browser alone. Another browser begins anew."
      >
        <dl className="grid border-t border-line/70">
          <FlagRow flag="phase2Decoded" name="Phase 2 decoded" />
          <FlagRow flag="shadowAccessed" name="Shadow accessed" />
        </dl>
      </Section>
      <Section title="Where to go" says="The shadow sends you to the black scroll until phase 2 is decoded.">
        <nav aria-label="The puzzle" className="flex flex-wrap gap-4">
          <ButtonLink to="/black-scroll">The black scroll</ButtonLink>
          <ButtonLink to="/shadow">The shadow</ButtonLink>
          <ButtonLink to="/thirteen-holders">The thirteen holders</ButtonLink>
        </nav>
      </Section>
      <Section
        title="Posts, as samples"
        says="Two ways in which the thread might be told. This page posts nothing."
      >
        <SamplePosts />
      </Section>
    </Chamber>
  );
}

function FlagRow({ flag, name }: { flag: Flag; name: string }) {
  const isSet = useFlag(flag);
  return (
    <div className="grid items-baseline gap-x-8 gap-y-1.5 border-b border-line/70 py-4 sm:grid-cols-[13rem_minmax(0,1fr)_auto]">
      <dt className="font-display text-name font-medium">{name}</dt>
      <dd className="font-machine text-small text-shade wrap-anywhere">{FLAGS[flag]}</dd>
      <dd>
        <Badge variant={isSet ? 'open' : 'plain'}>{isSet ? 'Set' : 'Not set'}</Badge>
      </dd>
    </div>
  );
}
