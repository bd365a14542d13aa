import { type Db, handleOf } from '../../storage/handle.ts'
import { command } from '../command.ts'
import { progressOf } from '../progress.ts'
import { refusal } from '../refusal.ts'
import { table } from '../table.ts'
import { DATABASE, sourceOptions, stopping, withSource } from './with-source.ts'

const WORDS: Readonly<Record<string, string>> = {
  added: 'New users',
  password: 'Changed passwords',
  addresses: 'Changed addresses',
}

export const exportDjango = command({
  argument: DATABASE,
  options: sourceOptions,
  run: (call) =>
    withSource(call, { isWritable: true }, async ({ auth, source, model, facts }) => {
      const isDry = call.values['dry-run']
      const { administration, giveBack } = auth.services
      const progress = progressOf('Users', await administration.count(), call.io)
      const { counts, kept, isDone } = await giveBack(
        handleOf<Db>(auth.connection.patientDb),
        { source, model, origin: facts.origin, isDry },
        { note: progress.at, isStopping: stopping(call) },
      )
      progress.end()

      const rows = Object.entries(WORDS).map(([name, words]) => [words, String(counts[name] ?? 0)])
      const text = [
        ...(isDry ? ['A dry run: nothing was changed.'] : []),
        table(rows).trimEnd(),
        ...kept.map(({ pk, what }) => `kept  ${pk}  ${what}: it has changed there, too`),
      ].join('\n')
      call.say(text, { dry_run: isDry, done: isDone, counts, kept })
      if (!isDone)
        throw refusal('The export was interrupted. Run the same command again to continue.')
    }),
})
