import type { Meant } from '../../features/administration/administration.ts'
import { isoTime } from '../../kernel/clock.ts'
import { type Pk, readPk } from '../../kernel/ids.ts'
import type { User } from '../../storage/schema.ts'
import { type Argument, type Command, type CommandCall, command, type Options } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import { refusal, usageRefusal } from '../refusal.ts'
import { nameOf, type Operations, reasonOption, withOperations } from '../with-operations.ts'

export const USER: Argument = {
  placeholder: '<user>',
  doc: 'a username, a pk or an e-mail address',
  orOptions: ['pk', 'username'],
}

/** Options of all commands on one user. Two of them name the user unambiguously. */
export const userOptions = {
  pk: { type: 'optional', placeholder: '<pk>', doc: 'The pk, in place of <user>' },
  username: {
    type: 'optional',
    placeholder: '<name>',
    doc: 'The exact username, in place of <user>',
  },
  ...settingsOptions,
} as const satisfies Options

type UserCall = CommandCall<typeof userOptions>

/** Runs the work with the user that the command line names. */
export const withUser = (
  call: UserCall,
  work: (user: User, operations: Operations) => Promise<void>,
): Promise<void> =>
  withOperations(call, async (operations) => work(await findUser(call, operations), operations))

type Further<O> = Pick<Argument, 'followedBy'> & { readonly options?: O }

type Work<O extends Options> = (
  call: CommandCall<O & typeof userOptions>,
  user: User,
  operations: Operations,
) => Promise<void>

/** A command on one user. */
export const userCommand = <const O extends Options = Record<never, never>>(
  { options, ...argument }: Further<O>,
  work: Work<O>,
): Command =>
  command({
    argument: { ...USER, ...argument },
    options: { ...(options as O), ...userOptions },
    run: (call) => withUser(call, (user, operations) => work(call, user, operations)),
  })

/** A command that changes one user. */
export const userChange = <const O extends Options = Record<never, never>>(
  { options, ...argument }: Further<O>,
  work: Work<O>,
): Command => userCommand({ ...argument, options: { ...(options as O), ...reasonOption } }, work)

/** Finds the user that the command line names. Never guesses between two. */
export async function findUser(
  { argument, values }: UserCall,
  operations: Operations,
): Promise<User> {
  const { pk, username } = values
  if (pk !== undefined) return withPk(pk, operations)
  if (username !== undefined) {
    const user = await operations.services.users.findByUsername(username)
    if (!user) throw refusal(`There is no user with the username "${username}".`)
    return user
  }
  return findNamed(argument, operations)
}

const CHOOSE = 'Choose one with --pk <pk> or --username <name>.'

/** `choose` says how to name one of two users whom the name can mean. */
export async function findNamed(
  name: string,
  operations: Operations,
  choose = CHOOSE,
): Promise<User> {
  const [first, second] = await operations.named(name)
  if (!first) throw refusal(`There is no user "${name}".`)
  if (!second) return first.user
  throw refusal(`"${name}" can mean ${described(first)} or ${described(second)}. ${choose}`)
}

/** Reads the option `--pk`. */
export function pkIn(text: string): Pk {
  const pk = readPk(text)
  if (pk === null) throw usageRefusal('--pk must be a whole number, at least 1, or a UUID.')
  return pk
}

async function withPk(text: string, { services }: Operations): Promise<User> {
  const pk = pkIn(text)
  const user = await services.users.findByPk(pk)
  if (user) return user
  // A deleted account has only its deletion.
  const [last] = typeof pk === 'number' ? await services.audit.newestOfUser(pk, 1) : []
  if (last?.event !== 'user_deleted') throw refusal(`There is no user with the pk ${pk}.`)
  const day = isoTime(last.at).slice(0, 10)
  throw refusal(`The user with the pk ${pk} was deleted on ${day}.`)
}

const described = ({ user, by }: Meant): string => `${nameOf(user)} by ${by}`
