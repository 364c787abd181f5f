// Who this account is: what a sign-in provider has said, if there is one, and what this server knows it by.
import type { User } from '../../../shared/nouns/user.ts';
import { Section } from '../../ui/section.tsx';
import { TextField } from '../../ui/text-fields.tsx';

const FROM_PROVIDER = [
  ['E-mail', 'email'],
  ['First name', 'firstName'],
  ['Last name', 'lastName'],
] as const;

export function Profile({ user }: { user: User }) {
  const given = FROM_PROVIDER.flatMap(([label, field]) => {
    const value = user[field];
    return value === null ? [] : [{ label, value }];
  });
  return (
    <Section
      title="Profile"
      says={
        given.length > 0
          ? 'E-mail and names are managed by your sign-in provider. This server only reads them.'
          : 'What this server knows you by. It keeps no address of yours.'
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        {given.map(({ label, value }) => (
          <TextField key={label} label={label} readOnly value={value} />
        ))}
        {user.name !== null && <TextField label="Sign-in name" readOnly value={user.name} />}
        <div className="sm:col-span-2">
          <TextField
            label="Account number"
            readOnly
            value={user.id}
            hint="Random. It says nothing about you."
          />
        </div>
      </div>
    </Section>
  );
}
