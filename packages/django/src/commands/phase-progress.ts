import type { Io } from '../../../server/src/cli/io.ts'
import { progressOf } from '../../../server/src/cli/output.ts'
import type { Phase } from '../import/state.ts'
import type { Opened } from './with-source.ts'

/** Shows the progress of an import, with a bar for each phase that reads a table of the project. */
export async function progressIn({ source }: Opened, users: number, io: Io) {
  const totals = new Map<Phase, [name: string, total: number]>([['users', ['Users', users]]])
  await addTotal('sessions', 'Sessions', 'django_session')
  await addTotal('blacklist', 'Blacklisted tokens', 'token_blacklist_blacklistedtoken')
  let shown: string | undefined
  let bar: ReturnType<typeof progressOf> | undefined

  return { at, end: () => bar?.end() }

  async function addTotal(phase: Phase, name: string, table: string): Promise<void> {
    if ((await source.columnsOf(table)).length === 0) return
    totals.set(phase, [name, await source.count(table)])
  }

  function at(phase: Phase, seen: number, isAgain: boolean): void {
    const [name, total] = totals.get(phase) ?? []
    if (name === undefined || total === undefined) return
    const title = isAgain ? `${name} once more` : name
    if (title !== shown) {
      bar?.end()
      bar = progressOf(title, total, io)
      shown = title
    }
    bar?.at(seen)
  }
}
