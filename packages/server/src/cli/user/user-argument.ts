import type { Argument } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import type { Options } from '../option.ts'

export const USER: Argument = {
  placeholder: '<user>',
  doc: 'a username, a pk or an e-mail address',
  orOptions: ['pk', 'username'],
}

/** Options of all commands on one user. Two of them name the user without any doubt. */
export const userOptions = {
  pk: { type: 'optional', placeholder: '<pk>', doc: 'The user with this pk' },
  username: { type: 'optional', placeholder: '<name>', doc: 'The user with exactly this username' },
  ...settingsOptions,
} as const satisfies Options
