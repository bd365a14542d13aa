import type { Argument, CommandCall, Options } from '../../../server/src/cli/command.ts'
import { loadFor, settingsOptions } from '../../../server/src/cli/load-settings.ts'
import { withDatabase } from '../../../server/src/cli/open-service.ts'
import { refusal } from '../../../server/src/cli/refusal.ts'
import type { Service } from '../../../server/src/compose-service.ts'
import { firstLine } from '../../../server/src/kernel/texts.ts'
import { isServerDatabase } from '../../../server/src/settings/kinds/connection-urls.ts'
import { NoIdsLeft } from '../import/numbers.ts'
import { OtherImport } from '../import/state.ts'
import type { Use } from '../source/connections.ts'
import { type DjangoSource, openSource, UnreadableKey } from '../source/source.ts'
import { readUserModel, tableOfModel, type UserModel } from '../source/user-model.ts'
import { type DjangoFacts, readDjangoFacts } from './facts.ts'
import { readSourceUrl, refuseOwnDatabase } from './source-url.ts'
import { withCopy } from './with-copy.ts'

export const DATABASE: Argument = {
  placeholder: '<database url>',
  doc: 'The database of the Django project: sqlite:<file> or postgres://…; by default DJANGO_DATABASE_URL',
  orSetting: 'DJANGO_DATABASE_URL',
}

/** Options of all commands on the database of a Django project. */
export const sourceOptions = {
  settings: {
    type: 'optional',
    placeholder: '<json or file>',
    doc: 'The settings of the project as JSON: SECRET_KEY, AUTH_USER_MODEL and so on',
  },
  'user-table': { type: 'optional', placeholder: '<table>', doc: 'The table of its users' },
  'user-app': {
    type: 'optional',
    placeholder: '<app.Model>',
    doc: 'Its user model, such as people.Person; by default auth.User',
  },
  'dry-run': { type: 'flag', doc: 'Report what would be done, and change nothing' },
  ...settingsOptions,
} as const satisfies Options

export type Opened = {
  service: Service
  source: DjangoSource
  model: UserModel
  facts: DjangoFacts
  /** The database is a copy, so a dry run may write. */
  isCopy: boolean
}

type SourceCall = CommandCall<typeof sourceOptions>

/** Opens both databases, runs the work, and closes them. */
export async function withSource(
  call: SourceCall,
  use: Use,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  // Mistakes in the command line are reported first.
  const given = call.argument === '' ? null : readSourceUrl(call.argument, call.io)
  const facts = await readDjangoFacts(call.values.settings, call.io)
  const { settings } = await loadFor(call)
  const url = given ?? readSourceUrl(settings.DJANGO_DATABASE_URL ?? '', call.io)
  refuseOwnDatabase(url, settings.DATABASE_URL)
  const isCopy = call.values['dry-run'] && !isServerDatabase(settings.DATABASE_URL)
  if (isCopy) await withCopy(settings, (copied) => withDatabase(copied, opening))
  else await withDatabase(settings, opening)

  async function opening(service: Service): Promise<void> {
    const options = { use, timeZone: timeZoneOf(service, facts) }
    const source = await explaining(() => openSource(url, options))
    try {
      const model = await explaining(() =>
        readUserModel(source, userTable(call, facts), facts.columns),
      )
      refuseOtherKeys(service, model)
      await explainingStops(() => work({ service, source, model, facts, isCopy }))
    } finally {
      await source.close()
    }
  }
}

/** The zone of times that do not name one. Null for UTC. */
const timeZoneOf = (
  { settings }: Service,
  { hasLocalTimes, timeZone }: DjangoFacts,
): string | null => (hasLocalTimes ? (timeZone ?? settings.DJANGO_TIME_ZONE) : null)

/** Otherwise the error would look like one of Latchkey's own database. */
async function explaining<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOurs = error instanceof Error && !('code' in error)
    const line = firstLine(error)
    throw refusal(isOurs ? line : `The database of the project cannot be used: ${line}`)
  }
}

async function explainingStops(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isTold =
      error instanceof OtherImport || error instanceof UnreadableKey || error instanceof NoIdsLeft
    throw isTold ? refusal(error.message) : error
  }
}

const userTable = ({ values }: SourceCall, facts: DjangoFacts): string =>
  values['user-table'] ?? tableOfModel(values['user-app'] ?? facts.userModel)

/** Users keep their pk, so the kind must be the same. */
function refuseOtherKeys({ settings }: Service, { kind }: UserModel): void {
  if (kind === null || kind === settings.USER_PK) return
  const keys = kind === 'uuid' ? 'UUIDs' : 'numbers'
  throw refusal(`The users of the project have ${keys}: set USER_PK to "${kind}".`)
}
