// What authors and administrators are written while the switch is paused.
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import { hostOf, inWords, type LetterOptions, type LetterRow, type Words } from './letter-parts.ts';

const ANOTHER_DATABASE =
  'Why: its database may not be the one that is in use. This happens when a backup was restored, or after a move to another machine or address.';

const untilConfirmed = ({ goesOnByItself, origin }: LetterOptions) =>
  goesOnByItself
    ? `If nobody confirms, the server goes on by itself, because its administrator may not be able to answer any more. It does so when it has run for ${inWords(switchRules.pauseEndsAfter)}, if ${hostOf(origin)} still leads to it then.`
    : 'The server does not go on before that.';

const untilAdministratorConfirms = ({ goesOnByItself, origin }: LetterOptions) =>
  goesOnByItself
    ? `If nobody confirms, the server goes on by itself, because an administrator may not be able to answer any more. It does so when it has run for ${inWords(switchRules.pauseEndsAfter)} since a mail server accepted the first of the mails to authors. Where none is accepted, it does so after ${inWords(switchRules.pauseEndsUntoldAfter)}. ${hostOf(origin)} has to lead to it then.`
    : 'The server does not go on before you confirm.';

/** For how long nothing is sent once the server goes on. */
const heldAfterPause = ({ goesOnByItself }: LetterOptions) =>
  goesOnByItself
    ? `${inWords(switchRules.holdAfterOutage)}, or for ${inWords(switchRules.holdAfterLongOutage)} if nobody has confirmed`
    : inWords(switchRules.holdAfterOutage);

/** To an author. */
export function paused(_message: LetterRow, options: LetterOptions): Words {
  const host = hostOf(options.origin);
  return {
    subject: `Your letters at ${host} are held back`,
    parts: [
      `You keep a vault at ${host}. The server there has stopped sending letters.`,
      `${ANOTHER_DATABASE} If it is a backup, what you did after it was made is missing.`,
      `Nobody is warned and no letter is sent until the administrator has confirmed that this database is the right one. ${untilConfirmed(options)}`,
      `When the server goes on, letters that wait for your inactivity begin their countdown anew. A letter whose date has come is held back for ${heldAfterPause(options)}, and then sent.`,
      'Please sign in. See whether your letters are as you left them.',
      { label: 'Sign in', url: `${options.origin}/enter` },
      'If you keep no vault there, do nothing.',
    ],
  };
}

/** To an administrator. */
export function confirmSwitch(_message: LetterRow, options: LetterOptions): Words {
  const host = hostOf(options.origin);
  return {
    subject: `${host} waits for you to confirm its database`,
    parts: [
      `You administer the server at ${host}. It has stopped sending legacy scrolls. Nobody is warned and nothing is sent.`,
      ANOTHER_DATABASE,
      'Make sure that this is the newest database there is. Make sure that no other copy of this server is running. Then confirm it on this page, or run “npm run confirm-switch” on the server.',
      { label: 'Check and confirm', url: `${options.origin}/outbox` },
      `When the server goes on, every countdown begins anew, and nothing is sent for ${heldAfterPause(options)}.`,
      `Authors with a warning address are told as well. ${untilAdministratorConfirms(options)}`,
      'If you do not administer that server, do nothing.',
    ],
  };
}
