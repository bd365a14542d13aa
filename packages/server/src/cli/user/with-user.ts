import type { Service } from '../../compose-service.ts'
import { pkOf } from '../../core/identity.ts'
import type { Meant } from '../../features/administration/administration.ts'
import type { OperationName, OutputOfOperation } from '../../features/administration/operations.ts'
import { isoTime } from '../../kernel/clock.ts'
import { type Pk, readPk } from '../../kernel/ids.ts'
import type { User } from '../../storage/schema.ts'
import { type Argument, type Command, type CommandCall, command, type Options } from '../command.ts'
import { loadFor, type SettingsCall, settingsOptions } from '../load-settings.ts'
import { withDatabase, withServices } from '../open-service.ts'
import { operatorOf } from '../operator.ts'
import { type CommandRefusal, refusal, usageRefusal, wordsFor } from '../refusal.ts'
import { nameOf } from './user-json.ts'

export const USER: Argument = {
  placeholder: '<user>',
  doc: 'a username, a pk or an e-mail address',
  orOptions: ['pk', 'username'],
}

/** Options of all commands on one user. Two of them name the user unambiguously. */
export const userOptions = {
  pk: { type: 'optional', placeholder: '<pk>', doc: 'The user with this pk' },
  username: { type: 'optional', placeholder: '<name>', doc: 'The user with exactly this username' },
  ...settingsOptions,
} as const satisfies Options

type UserCall = CommandCall<typeof userOptions>

export type Accounts = ReturnType<typeof accountsFor>

/** What this operator can do: the operations, and what only the command line offers. */
function accountsFor({ administration, operations, dossier }: Service['services'], call: AnyCall) {
  const actor = { ...operatorOf(call.io), force: call.values.force === true }
  return {
    ...administration.by(actor),
    exportSchema: dossier.schema,

    /** Runs an operation, on a user if there is one. */
    run<N extends OperationName>(
      name: N,
      user: User | null,
      input: object = {},
    ): Promise<OutputOfOperation<N>> {
      if (!user) return operations.call(actor, name, { ...input })
      const words = `${nameOf(user)} is the last active superuser. Make another user a superuser first, or use --force.`
      return operations
        .call(actor, name, { ...input, pk: pkOf(user) })
        .catch(wordsFor('last_superuser', words))
    },
  }
}

type AnyCall = SettingsCall & { readonly values: { readonly force?: boolean } }

/** For commands that can remove the last superuser. */
export const forceOption = {
  force: { type: 'flag', doc: 'Do it even to the last active superuser' },
} as const satisfies Options

export const withAccounts = (
  call: AnyCall,
  work: (accounts: Accounts) => Promise<void>,
): Promise<void> => withServices(call, (services) => work(accountsFor(services, call)))

export async function withNewAccounts(
  call: AnyCall,
  work: (accounts: Accounts) => Promise<void>,
): Promise<void> {
  const { settings } = await loadFor(call)
  await withDatabase(settings, ({ services }) => work(accountsFor(services, call)))
}

/** Runs the work with the user that the command line names. */
export const withUser = (
  call: UserCall & AnyCall,
  work: (user: User, accounts: Accounts) => Promise<void>,
): Promise<void> =>
  withAccounts(call, async (accounts) => work(await findUser(call, accounts), accounts))

/** A command on one user with few options. */
export const userCommand = (
  work: (call: UserCall, user: User, accounts: Accounts) => Promise<void>,
  further: typeof forceOption | Record<string, never> = {},
): Command =>
  command({
    argument: USER,
    options: { ...further, ...userOptions },
    run: (call) => withUser(call, (user, accounts) => work(call, user, accounts)),
  })

/** Finds the user that the command line names. Never guesses between two. */
export async function findUser({ argument, values }: UserCall, accounts: Accounts): Promise<User> {
  const { pk, username } = values
  if (pk !== undefined) return withPk(pk, accounts)
  if (username !== undefined) {
    const user = await accounts.withUsername(username)
    if (!user) throw refusal(`There is no user with the username "${username}".`)
    return user
  }
  const [first, second] = await accounts.named(argument)
  if (!first) throw refusal(`There is no user "${argument}".`)
  if (second) throw ambiguous(argument, first, second)
  return first.user
}

/** Reads the option `--pk`. */
export function pkIn(text: string): Pk {
  const pk = readPk(text)
  if (pk === null) throw usageRefusal('--pk must be a whole number, at least 1, or a UUID.')
  return pk
}

async function withPk(text: string, accounts: Accounts): Promise<User> {
  const pk = pkIn(text)
  const user = await accounts.withPk(pk)
  if (user) return user
  const [last] = typeof pk === 'number' ? await accounts.history(pk) : []
  if (last?.event !== 'user_deleted') throw refusal(`There is no user with the pk ${pk}.`)
  const day = isoTime(last.at).slice(0, 10)
  throw refusal(`The user with the pk ${pk} was deleted on ${day}.`)
}

const ambiguous = (name: string, one: Meant, other: Meant): CommandRefusal =>
  refusal(
    `"${name}" can mean ${described(one)} or ${described(other)}. Choose one with --pk <pk> or --username <name>.`,
  )

const described = ({ user, by }: Meant): string => `${nameOf(user)} by ${by}`
