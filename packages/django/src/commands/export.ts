import { command } from '../../../server/src/cli/command.ts'
import { stopping } from '../../../server/src/cli/io.ts'
import { progressOf } from '../../../server/src/cli/output.ts'
import { refusal } from '../../../server/src/cli/refusal.ts'
import { createDjangoExport } from '../export/django-export.ts'
import { createDjangoImport } from '../import/django-import.ts'
import { countsTable, DRY_RUN } from './shown-report.ts'
import { DATABASE, sourceOptions, withSource } from './with-source.ts'

const WORDS: Readonly<Record<string, string>> = {
  added: 'New users',
  password: 'Changed passwords',
  addresses: 'Changed addresses',
}

const NO_IMPORT = 'No users were imported into this database. Is DATABASE_URL the right one?'
const ARGON2 =
  'Passwords are hashed with argon2 here. Django needs the package argon2-cffi and Argon2PasswordHasher in PASSWORD_HASHERS to read them.'

export const exportDjango = command({
  argument: DATABASE,
  options: sourceOptions,
  run: (call) =>
    withSource(
      call,
      call.values['dry-run'] ? 'try' : 'write',
      async ({ service, source, model, facts }) => {
        const isDry = call.values['dry-run']
        const exportUsers = createDjangoExport(service.services)
        const db = service.patientDb
        if ((await createDjangoImport(service.services).countImported(db)) === 0)
          throw refusal(NO_IMPORT)
        const progress = progressOf('Users', await service.services.users.count(), call.io)
        const { counts, kept, isDone } = await exportUsers(
          db,
          { source, model, origin: facts.origin },
          { note: progress.at, isStopping: stopping(call) },
        )
        progress.end()

        const hasHashes = (counts.added ?? 0) + (counts.password ?? 0) > 0
        const notes = hasHashes && service.settings.PASSWORD_HASHERS[0] === 'argon2' ? [ARGON2] : []
        const text = [
          ...(isDry ? [DRY_RUN] : []),
          countsTable(WORDS, counts),
          ...kept.map(({ pk, what, why }) => `kept  ${pk}  ${what}: ${why}`),
          ...notes,
        ].join('\n')
        call.say(text, { dry_run: isDry, done: isDone, counts, kept, notes })
        if (!isDone)
          throw refusal('The export was interrupted. Run the same command again to continue.')
      },
    ),
})
