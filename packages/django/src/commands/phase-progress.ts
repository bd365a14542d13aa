import type { Io } from '../../../server/src/cli/io.ts'
import { progressOf } from '../../../server/src/cli/output.ts'
import type { Phase } from '../import/state.ts'
import type { Opened } from './with-source.ts'

type Bar = ReturnType<typeof progressOf>

/** Shows the progress of an import, with a bar for each phase that reads a table of the project. */
export async function progressIn({ source }: Opened, users: number, io: Io) {
  const bars = new Map<Phase, Bar>([['users', progressOf('Users', users, io)]])
  await addBar('sessions', 'Sessions', 'django_session')
  await addBar('blacklist', 'Blacklisted tokens', 'token_blacklist_blacklistedtoken')
  let current: Bar | undefined

  return { at, end: () => current?.end() }

  async function addBar(phase: Phase, name: string, table: string): Promise<void> {
    if ((await source.columnsOf(table)).length === 0) return
    bars.set(phase, progressOf(name, await source.count(table), io))
  }

  function at(phase: Phase, seen: number): void {
    const bar = bars.get(phase)
    if (!bar) return
    if (bar !== current) current?.end()
    current = bar
    bar.at(seen)
  }
}
