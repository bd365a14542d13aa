import type { Service } from '../compose-service.ts'
import type { OperationName, OutputOfOperation } from '../features/administration/operations.ts'
import { type Command, command } from './command.ts'
import { type SettingsCall, settingsOptions } from './load-settings.ts'
import { withServices } from './open-service.ts'
import { operatorOf } from './operator.ts'

export type RunOperation = <N extends OperationName>(
  name: N,
  input?: Readonly<Record<string, unknown>>,
) => Promise<OutputOfOperation<N>>

/** `run` calls an operation in the name of the operator who runs the command. */
export const withOperations = (
  call: SettingsCall,
  work: (run: RunOperation, services: Service['services']) => Promise<void>,
): Promise<void> =>
  withServices(call, (services) => {
    const actor = operatorOf(call.io)
    return work((name, input = {}) => services.operations.call(actor, name, input), services)
  })

/** A command that calls operations and has no options of its own. */
export const operationCommand = (
  declared: Pick<Command, 'argument'>,
  work: (call: SettingsCall, run: RunOperation) => Promise<void>,
): Command =>
  command({
    ...declared,
    options: settingsOptions,
    run: (call) => withOperations(call, (run) => work(call, run)),
  })

type Page<T> = { readonly results: readonly T[]; readonly next: string | null }

/** The input of an operation for one page of a list. */
type Asked = { readonly limit: string; readonly after?: string }

/** Reads a list to its end, page by page. */
export async function allPages<T>(read: (page: Asked) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  let after: string | null | undefined
  while (after !== null) {
    const { results, next } = await read({ limit: '200', ...(after && { after }) })
    all.push(...results)
    after = next
  }
  return all
}
