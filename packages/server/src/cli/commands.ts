import type { Command } from './command.ts'

/** What is known of a command before it is loaded. */
export type Listing = {
  /** One or two words: `serve`, `user create` */
  readonly name: string
  readonly summary: string
  /** The first word alone also means this command. */
  readonly isDefault?: true
  /** Loads the command when it is called. The list itself loads nothing. */
  load(): Promise<Command>
}

/** Every command, in the order of the help. */
export const commands: readonly Listing[] = [
  {
    name: 'serve',
    summary: 'Serve the API until a signal asks to stop',
    load: async () => (await import('./serve/serve.ts')).serve,
  },
  {
    name: 'migrate',
    summary: 'Bring the database up to date',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    name: 'check',
    summary: 'Check the settings, the database and the data folder',
    load: async () => (await import('./check/check.ts')).check,
  },
  {
    name: 'settings',
    summary:
      'Show every setting that is in force, or make a config file from those of a Django project',
    load: async () => (await import('./settings/settings.ts')).settings,
  },
  {
    name: 'user create',
    summary: 'Create a user and print the pk',
    load: async () => (await import('./user/create.ts')).userCreate,
  },
  {
    name: 'user list',
    summary: 'List all users',
    load: async () => (await import('./user/list.ts')).userList,
  },
  {
    name: 'user show',
    summary: 'Show a user, and what happened to the account lately',
    load: async () => (await import('./user/show.ts')).userShow,
  },
  {
    name: 'user set',
    summary:
      'Set fields of a user: names, is_staff, is_superuser, groups, and those of USER_FIELDS',
    load: async () => (await import('./user/set.ts')).userSet,
  },
  {
    name: 'user activate',
    summary: 'Let a user log in (again)',
    load: async () => (await import('./user/activate.ts')).userActivate,
  },
  {
    name: 'user deactivate',
    summary: 'Log a user out everywhere and let no login through',
    load: async () => (await import('./user/deactivate.ts')).userDeactivate,
  },
  {
    name: 'user delete',
    summary: 'Delete a user and all that belongs to the account',
    load: async () => (await import('./user/delete.ts')).userDelete,
  },
  {
    name: 'user set-password',
    summary: 'Set a new password and log the user out everywhere',
    load: async () => (await import('./user/set-password.ts')).userSetPassword,
  },
  {
    name: 'user reset-mfa',
    summary: 'Switch off MFA for a user who has lost the authenticator and the recovery codes',
    load: async () => (await import('./user/reset-mfa.ts')).userResetMfa,
  },
  {
    name: 'user revoke',
    summary: 'Log a user, or everybody, out everywhere: every token and session',
    load: async () => (await import('./user/revoke.ts')).userRevoke,
  },
  {
    name: 'user sessions',
    summary: 'List the logins of a user, newest first, and the token',
    load: async () => (await import('./user/sessions.ts')).userSessions,
  },
  {
    name: 'user end-session',
    summary: 'End single logins of a user, or the token',
    load: async () => (await import('./user/end-session.ts')).userEndSession,
  },
  {
    name: 'mail list',
    summary: 'List mails that are not delivered, the oldest first',
    load: async () => (await import('./mail/list.ts')).mailList,
  },
  {
    name: 'mail retry',
    summary: 'Have mails that are not delivered sent at once, the given-up ones, too',
    load: async () => (await import('./mail/retry.ts')).mailRetry,
  },
  {
    name: 'openapi',
    summary: 'Print the OpenAPI document of the service',
    load: async () => (await import('./openapi.ts')).openapi,
  },
  {
    name: 'keys generate',
    summary: 'Make a private key that signs JSON Web Tokens',
    load: async () => (await import('./keys/generate.ts')).keysGenerate,
  },
  {
    name: 'keys list',
    summary: 'List the keys that sign and check JSON Web Tokens',
    isDefault: true,
    load: async () => (await import('./keys/list.ts')).keysList,
  },
  {
    name: 'keys rotate',
    summary: 'Make a new signing key, and keep the old one for checking',
    load: async () => (await import('./keys/rotate.ts')).keysRotate,
  },
  {
    name: 'keys reseal',
    summary: 'Seal with SECRET_KEY what SECRET_KEY_FALLBACKS sealed, so that those can be dropped',
    load: async () => (await import('./keys/reseal.ts')).keysReseal,
  },
  {
    name: 'version',
    summary: 'Print the version',
    load: async () => (await import('./version.ts')).version,
  },
]
