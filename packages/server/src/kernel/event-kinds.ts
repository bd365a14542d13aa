/** What can happen to an account, as hooks and webhooks receive it. */
export const EVENT_KINDS = [
  'registered',
  'signedIn',
  'passwordChanged',
  'emailChanged',
  'mfaChanged',
  'apiKeysChanged',
  'deleted',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]
