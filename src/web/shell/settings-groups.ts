// The groups of the settings, in their order: the contents list is made of them, and the palette finds them.
import type { ScreenPath } from '../../shared/screens.ts';

export const settingsGroups = [
  {
    to: '/settings/appearance',
    name: 'Appearance',
    says: 'Theme and text size',
    also: 'theme dark light system text size font letters',
  },
  {
    to: '/settings/account',
    name: 'Account',
    says: 'Name, the three answers, signing out',
    also: 'profile number email sign out',
  },
  {
    to: '/settings/recovery',
    name: 'Key and recovery',
    says: 'The key, 24 words, passphrase, passkeys',
    also: 'password passkey passphrase twenty-four words fingerprint regenerate lost new key',
  },
  {
    to: '/settings/devices',
    name: 'Devices',
    says: 'Idle lock, sessions, what happened',
    also: 'sessions lock idle activity phone browser shortcuts',
  },
  {
    to: '/settings/plan',
    name: 'Plan and room',
    says: 'Subscription, space used, wallet',
    also: 'storage space quota payment upgrade subscription wallet',
  },
  {
    to: '/settings/data',
    name: 'Your data',
    says: 'Export, import, destroying the vault',
    also: 'export import backup download archive destroy erase source code',
  },
] as const satisfies readonly { to: ScreenPath; name: string; says: string; also: string }[];

export type SettingsPath = (typeof settingsGroups)[number]['to'];
