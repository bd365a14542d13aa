import type { Command } from './command.ts'

/** What the list knows about a command before it is loaded. */
export type Listing = {
  /** One or two words: `serve`, `user create` */
  readonly name: string
  /** The heading above it in the help. */
  readonly group: string
  readonly summary: string
  /** The first word alone also means this command. */
  readonly isDefault?: true
  /** Loads the command when it is called. The list itself loads nothing. */
  load(): Promise<Command>
}

/** Every command by its group and name, in the order of the help. */
const byGroup: Readonly<Record<string, Record<string, Omit<Listing, 'name' | 'group'>>>> = {
  Service: {
    init: {
      summary: 'Ask five questions and write a commented config file',
      load: async () => (await import('./init/init.ts')).init,
    },
    serve: {
      summary: 'Migrate the database and run the service',
      load: async () => (await import('./serve/serve.ts')).serve,
    },
    check: {
      summary: 'Check the settings, the database and the data folder',
      load: async () => (await import('./check.ts')).check,
    },
    settings: {
      summary:
        'Show every setting with its value, or make a config file from the settings of a Django project',
      load: async () => (await import('./settings.ts')).settings,
    },
  },
  Database: {
    migrate: {
      summary: 'Bring the database up to date with this version',
      load: async () => (await import('./migrate.ts')).migrate,
    },
    move: {
      summary: 'Copy the whole service into another database, from SQLite to PostgreSQL or back',
      load: async () => (await import('./move.ts')).move,
    },
  },
  Users: {
    'user create': {
      summary: 'Create a user, and print their pk',
      load: async () => (await import('./user/create.ts')).userCreate,
    },
    'user list': {
      summary: 'List all users, or find some of them',
      load: async () => (await import('./user/list.ts')).userList,
    },
    'user show': {
      summary:
        'Show everything about a user: factors, logins, accounts, mails and the latest events',
      load: async () => (await import('./user/show.ts')).userShow,
    },
    'user history': {
      summary: 'Show the history of an account, newest first, with the changes that operators made',
      load: async () => (await import('./user/show.ts')).userHistory,
    },
    'user set': {
      summary:
        'Change fields of a user: names, address, language, is_staff, is_superuser, groups and the fields of USER_FIELDS',
      load: async () => (await import('./user/set.ts')).userSet,
    },
    'user activate': {
      summary: 'Allow a user to log in',
      load: async () => (await import('./user/activate.ts')).userActivate,
    },
    'user deactivate': {
      summary: 'Log a user out everywhere, and refuse further logins',
      load: async () => (await import('./user/activate.ts')).userDeactivate,
    },
    'user export': {
      summary: 'Print everything that the service knows about a user, as JSON',
      load: async () => (await import('./user/export.ts')).userExport,
    },
    'user delete': {
      summary: 'Delete a user and all their data',
      load: async () => (await import('./user/activate.ts')).userDelete,
    },
    'user set-password': {
      summary: 'Set a new password, and log the user out everywhere',
      load: async () => (await import('./user/password.ts')).userSetPassword,
    },
    'user send-reset': {
      summary: 'Mail a link with which the user can set a new password',
      load: async () => (await import('./user/password.ts')).userSendReset,
    },
    'user mark-verified': {
      summary: 'Treat the address of a user as verified',
      load: async () => (await import('./user/activate.ts')).userMarkVerified,
    },
    'user reset-mfa': {
      summary:
        'Reset the second factor of a user who has lost it: the app with its codes, or an operator’s passkeys',
      load: async () => (await import('./user/password.ts')).userResetMfa,
    },
    'user revoke': {
      summary: 'End all sessions and tokens of a user, or of all users',
      load: async () => (await import('./user/sessions.ts')).userRevoke,
    },
    'user sessions': {
      summary: 'List the logins of a user, newest first, and their token',
      load: async () => (await import('./user/sessions.ts')).userSessions,
    },
    'user end-session': {
      summary: 'End one or more logins of a user, or their token',
      load: async () => (await import('./user/sessions.ts')).userEndSession,
    },
    'user tokens': {
      summary: 'List the keys that a user made for programs',
      load: async () => (await import('./user/tokens.ts')).userTokens,
    },
    'user revoke-token': {
      summary: 'Revoke one or more keys that a user made for programs',
      load: async () => (await import('./user/tokens.ts')).userRevokeToken,
    },
  },
  Invitations: {
    invite: {
      summary: 'Invite somebody by mail, with the groups and fields of the new user',
      load: async () => (await import('./invitation.ts')).invite,
    },
    'invitation list': {
      summary: 'List open invitations, and those that have expired recently',
      load: async () => (await import('./invitation.ts')).invitationList,
    },
    'invitation resend': {
      summary: 'Mail an invitation again, with a new link',
      load: async () => (await import('./invitation.ts')).invitationResend,
    },
    'invitation revoke': {
      summary: 'Revoke an invitation, so that its link no longer works',
      load: async () => (await import('./invitation.ts')).invitationRevoke,
    },
  },
  Operators: {
    audit: {
      summary: 'List what happened to accounts and what operators did, newest first',
      load: async () => (await import('./audit.ts')).audit,
    },
    figures: {
      summary:
        'Show how many users there are, and sign-ups, logins and failures of the last 30 days',
      load: async () => (await import('./figures.ts')).figures,
    },
    'admin-key create': {
      summary: 'Make a key with which a program can use the admin API, and show it once',
      load: async () => (await import('./admin-key.ts')).adminKeyCreate,
    },
    'admin-key list': {
      summary: 'List the admin keys, without their secrets',
      load: async () => (await import('./admin-key.ts')).adminKeyList,
    },
    'admin-key revoke': {
      summary: 'Revoke an admin key',
      load: async () => (await import('./admin-key.ts')).adminKeyRevoke,
    },
  },
  'Mails and webhooks': {
    'mail list': {
      summary: 'List mails that are not delivered yet, oldest first',
      load: async () => (await import('./undelivered.ts')).mailList,
    },
    'mail retry': {
      summary: 'Try to send undelivered mails again now, including those that were given up',
      load: async () => (await import('./undelivered.ts')).mailRetry,
    },
    'webhooks list': {
      summary: 'List events that are not delivered yet, oldest first',
      load: async () => (await import('./undelivered.ts')).webhooksList,
    },
    'webhooks retry': {
      summary: 'Try to deliver events again now, including those that were given up',
      load: async () => (await import('./undelivered.ts')).webhooksRetry,
    },
  },
  'Keys of the service': {
    'keys generate': {
      summary: 'Make a private key for signing JSON Web Tokens',
      load: async () => (await import('./keys/keys.ts')).keysGenerate,
    },
    'keys list': {
      summary: 'List the keys that sign and check JSON Web Tokens, and those that seal stored data',
      isDefault: true,
      load: async () => (await import('./keys/keys.ts')).keysList,
    },
    'keys rotate': {
      summary: 'Make a new signing key, and keep the old one to check older tokens',
      load: async () => (await import('./keys/keys.ts')).keysRotate,
    },
    'keys reseal': {
      summary: 'Seal data again with SECRET_KEY, so that former keys can be removed',
      load: async () => (await import('./keys/reseal.ts')).keysReseal,
    },
  },
  'Coming from Django': {
    'import django': {
      summary: 'Import the users of a Django project, without logging anybody out',
      load: async () => (await import('../../../django/src/commands/import.ts')).importDjango,
    },
    'export django': {
      summary: 'Write new users, changed passwords and addresses back into a Django project',
      load: async () => (await import('../../../django/src/commands/export.ts')).exportDjango,
    },
    'compat-check': {
      summary: 'Send the same harmless requests to a Django project and to Latchkey, and compare',
      load: async () =>
        (await import('../../../django/src/commands/compat/compat-check.ts')).compatCheck,
    },
  },
  Development: {
    test: {
      summary:
        'Run the service for the tests of your app: in memory, with a clock, a mailbox and users on demand',
      load: async () => (await import('./test.ts')).test,
    },
    openapi: {
      summary: 'Print the OpenAPI document of the service',
      load: async () => (await import('./openapi.ts')).openapi,
    },
    version: {
      summary: 'Print the version',
      load: async () => (await import('./version.ts')).version,
    },
  },
}

export const commands: readonly Listing[] = Object.entries(byGroup).flatMap(([group, byName]) =>
  Object.entries(byName).map(([name, rest]) => ({ name, group, ...rest })),
)
