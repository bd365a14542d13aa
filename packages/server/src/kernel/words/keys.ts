import { noted } from './text.ts'

/** The keys that users make for programs. Operators see them, too. */
export const keyPages = noted(
  'Keys with which programs use an account. {name} is the name of a key, {date} a day and time. “keys.scopes” stands above a list of what a key allows, such as “keys.scope.user”; “keys.lifetime” above a choice: 30 days, 1 year, never expires.',
  {
    'keys.title': 'Keys for programs',
    'keys.text':
      'With a key, a program can use your account as far as the key allows. Give each program its own.',
    'keys.create': 'Create a key',
    'keys.name': 'Name of the program',
    'keys.scopes': 'The key may',
    'keys.scope.user': 'see your profile',
    'keys.lifetime': 'Expiry',
    'keys.noEnd': 'never expires',
    'keys.ends': 'Expires {date}',
    'keys.made': 'Your new key',
    'keys.made.text': 'Copy it now. It is not shown again.',
    'secret.done': 'I have saved it',
    'keys.revoke': 'Revoke',
    'keys.revokeOne': 'Revoke {name}',
    'keys.end.text': 'Programs that use the key {name} lose access at once.',
  },
)
