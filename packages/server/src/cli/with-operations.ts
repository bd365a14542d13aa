import type { Service } from '../compose-service.ts'
import { pkOf } from '../core/identity.ts'
import { reason } from '../features/administration/fields-of-operations.ts'
import { columnsOf } from '../features/administration/operation.ts'
import type { OperationName, OutputOfOperation } from '../features/administration/operations.ts'
import { because } from '../features/administration/rules.ts'
import { readFields } from '../http/fields.ts'
import { visible } from '../kernel/texts.ts'
import type { User } from '../storage/schema.ts'
import { type Command, command, type Options } from './command.ts'
import { loadFor, type SettingsCall, settingsOptions } from './load-settings.ts'
import { withDatabase, withServices } from './open-service.ts'
import { operatorOf } from './operator.ts'
import { wordsFor } from './refusal.ts'

export type Operations = ReturnType<typeof operationsFor>

type Call = SettingsCall & {
  readonly values: { readonly force?: boolean; readonly reason?: string | undefined }
}

/** For commands that change something. */
export const reasonOption = {
  reason: { type: 'optional', placeholder: '<text>', doc: 'Why, for the audit' },
} as const satisfies Options

/** For commands that can remove the last superuser. */
export const forceOption = {
  force: { type: 'flag', doc: 'Do it even if no active superuser is left' },
} as const satisfies Options

/** `ada (pk 1)`, always on one line, since a name could contain a line break. */
export const nameOf = (user: User): string => `${visible(user.username)} (pk ${pkOf(user)})`

/** What this operator can do: the operations, and what only the command line offers. */
function operationsFor(services: Service['services'], call: Call) {
  const { administration, operations } = services
  const { force = false, reason: why } = call.values
  const actor = { ...operatorOf(call.io), force }
  const given = why === undefined ? {} : { reason: why }
  return {
    ...administration,
    services,
    columnsOf: (name: OperationName) => columnsOf(operations.named(name).output),

    /** It is no operation, so nobody else checks the reason. */
    async revokeAll(note: (done: number) => void): Promise<number> {
      const checked = readFields({ reason: reason() }, given)
      return administration.revokeAll(because(actor, checked.reason), note)
    },

    /** Runs an operation, on a user if there is one. */
    run<N extends OperationName>(
      name: N,
      user: User | null = null,
      input: object = {},
    ): Promise<OutputOfOperation<N>> {
      if (!user) return operations.call(actor, name, { ...given, ...input })
      const words = `${nameOf(user)} is the last active superuser. Make another user a superuser first, or use --force.`
      return operations
        .call(actor, name, { ...given, ...input, pk: pkOf(user) })
        .catch(wordsFor('last_superuser', words))
    },
  }
}

export const withOperations = (
  call: Call,
  work: (operations: Operations) => Promise<void>,
): Promise<void> => withServices(call, (services) => work(operationsFor(services, call)))

/** Creates the embedded database if there is none. */
export async function withNewDatabase(
  call: Call,
  work: (operations: Operations) => Promise<void>,
): Promise<void> {
  const { settings } = await loadFor(call)
  await withDatabase(settings, ({ services }) => work(operationsFor(services, call)))
}

/** A command that changes something, and has no options of its own. */
export const changeCommand = (
  declared: Pick<Command, 'argument'>,
  work: (call: SettingsCall, operations: Operations) => Promise<void>,
): Command =>
  command({
    ...declared,
    options: { ...reasonOption, ...settingsOptions },
    run: (call) => withOperations(call, (operations) => work(call, operations)),
  })
