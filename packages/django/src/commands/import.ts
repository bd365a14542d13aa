import { type CommandCall, command } from '../../../server/src/cli/command.ts'
import { stopping } from '../../../server/src/cli/io.ts'
import { operatorOf } from '../../../server/src/cli/operator.ts'
import { refusal, usageRefusal } from '../../../server/src/cli/refusal.ts'
import { forceOption } from '../../../server/src/cli/with-operations.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { createDjangoImport } from '../import/django-import.ts'
import { areSessionsForeign } from '../import/import-sessions.ts'
import type { ImportRules } from '../map/new-user.ts'
import type { DjangoSource } from '../source/source.ts'
import { keysOf, notesOn } from './import-notes.ts'
import { progressIn } from './phase-progress.ts'
import { shownReport } from './shown-report.ts'
import { DATABASE, type Opened, sourceOptions, withSource } from './with-source.ts'

const options = {
  ...sourceOptions,
  'on-duplicate-username': {
    type: 'optional',
    placeholder: '<rule>',
    doc: 'If usernames differ only in case: rename (default) or keep-first',
  },
  'on-duplicate-address': {
    type: 'optional',
    placeholder: '<rule>',
    doc: 'If two users have the same address: keep-verified (default) or keep-first',
  },
  ...forceOption,
  'accept-losses': { type: 'flag', doc: 'Succeed even if not everything could be imported' },
} as const

type ImportCall = CommandCall<typeof options>

export const importDjango = command({
  argument: DATABASE,
  options,
  async run(call) {
    const rules = rulesIn(call)
    await withSource(call, 'read', (opened) => importProject(call, opened, rules))
  },
})

async function importProject(call: ImportCall, opened: Opened, rules: ImportRules): Promise<void> {
  const { service, source, model, facts, isCopy } = opened
  const { origin, backends } = facts
  const isDry = call.values['dry-run']
  const secretKeys = keysOf(opened)
  const db = service.patientDb
  const djangoImport = createDjangoImport(service.services)
  const total = await source.count(model.table)
  if (!call.values['accept-losses']) {
    refuseFewer(total, await djangoImport.countImported(db))
    await refuseForeignKeys(source, secretKeys)
  }
  const progress = await progressIn(opened, total, call.io)
  const report = await djangoImport.run(
    db,
    {
      source,
      model,
      origin,
      rules,
      secretKeys,
      backends,
      isDry: isDry && !isCopy,
      isForced: call.values.force,
      operator: operatorOf(call.io),
    },
    { note: progress.at, isStopping: stopping(call) },
  )
  progress.end()

  const { text, data } = shownReport(report, notesOn(opened, secretKeys), isDry)
  call.say(text, data)
  if (!report.isDone)
    throw refusal('The import was interrupted. Run the same command again to continue.')
  if (report.lost > 0 && !call.values['accept-losses']) {
    throw refusal('Not everything could be imported. Use --accept-losses to succeed anyway.')
  }
}

/** Users who are gone from the project are deleted here, so the wrong database would delete everybody. */
function refuseFewer(there: number, imported: number): void {
  if (there * 2 >= imported) return
  throw refusal(
    `The project has ${there} users, but ${imported} were imported before. If most of them were deleted there, use --accept-losses. Otherwise this may be the wrong database.`,
  )
}

/** Sessions that cannot be read count as ended, so a wrong key would log everybody out. */
async function refuseForeignKeys(
  source: DjangoSource,
  secretKeys: readonly string[],
): Promise<void> {
  if (secretKeys.length === 0) return
  if (!(await areSessionsForeign(source, secretKeys, systemClock.now()))) return
  throw refusal(
    'The given SECRET_KEY has signed none of the sessions, so it is probably not the key of the project. Give the right one. To end all sessions, use --accept-losses.',
  )
}

function rulesIn({ values }: ImportCall): ImportRules {
  const username = values['on-duplicate-username'] ?? 'rename'
  const address = values['on-duplicate-address'] ?? 'keep-verified'
  if (username !== 'rename' && username !== 'keep-first') {
    throw usageRefusal('--on-duplicate-username is rename or keep-first.')
  }
  if (address !== 'keep-verified' && address !== 'keep-first') {
    throw usageRefusal('--on-duplicate-address is keep-verified or keep-first.')
  }
  return { username, address }
}
