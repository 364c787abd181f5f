// Who may create an account here. Asked once the gate is shown, so that the door behind it knows already.
import { signUp } from '../../../shared/nouns/sign-up.ts';
import { useAnswer } from '../../api/use-answer.ts';

export function useSignUp() {
  return useAnswer(signUp.get, { refetchOnMount: 'always' });
}
