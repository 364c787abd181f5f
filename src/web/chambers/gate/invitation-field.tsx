// Where an invitation is pasted. While a server has no administrator, its set-up token will do as well.
import type { SignUp } from '../../../shared/nouns/sign-up.ts';
import { TextField } from '../../ui/text-fields.tsx';

interface FieldProps {
  signUp: SignUp;
  value: string;
  onChange: (text: string) => void;
}

/** Whether anything that somebody brings along could let them in. */
export const invitationHelps = ({ mode, hasAdmin }: SignUp) => mode === 'invitation' || !hasAdmin;

export function InvitationField({ signUp, value, onChange }: FieldProps) {
  const byInvitation = signUp.mode === 'invitation';
  const hint = byInvitation
    ? 'The link that the administrator of this server gave you. It is good for one account.'
    : 'The server printed it at its first start. It makes you the administrator.';
  return (
    <TextField
      label={byInvitation ? 'Invitation' : 'Set-up token'}
      hint={
        byInvitation && !signUp.hasAdmin
          ? `${hint} The set-up token that the server printed at its first start lets you in as well, as its administrator.`
          : hint
      }
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
