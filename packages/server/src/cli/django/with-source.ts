import { resolve } from 'node:path'
import type { Auth } from '../../create-auth.ts'
import { databaseUrl } from '../../settings/kinds/connection-urls.ts'
import { type DjangoSource, openSource } from '../../storage/django/source.ts'
import { readUserModel, tableOfModel, type UserModel } from '../../storage/django/user-model.ts'
import type { Argument, Call } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import type { Options } from '../option.ts'
import { refusal, usageRefusal } from '../refusal.ts'
import { withNewDatabase } from '../user/with-accounts.ts'
import { type DjangoFacts, readDjangoFacts } from './facts.ts'

export const DATABASE: Argument = {
  placeholder: '<database url>',
  doc: 'The database of the Django project: sqlite:<file> or postgres://…',
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
    doc: 'Its user model, such as people.Person; auth.User if none is given',
  },
  'dry-run': { type: 'flag', doc: 'Report what would be done, and change nothing' },
  ...settingsOptions,
} as const satisfies Options

export type Opened = { auth: Auth; source: DjangoSource; model: UserModel; facts: DjangoFacts }

type SourceCall = Call<typeof sourceOptions>

/** Opens both databases, runs the work, and closes them. */
export async function withSource(
  call: SourceCall,
  { isWritable }: { isWritable: boolean },
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const url = sourceUrl(call)
  const facts = await readDjangoFacts(call.values.settings, call.io)
  await withNewDatabase(call, async (auth) => {
    const source = open(url, { isWritable, timeZone: timeZoneOf(auth, facts) })
    try {
      const model = await readUserModel(source, userTable(call, facts), facts.columns)
      refuseOtherKeys(auth, model)
      await work({ auth, source, model, facts })
    } finally {
      await source.close()
    }
  })
}

/** Told once when the process is asked to stop, so that a batch under way is finished. */
export function stopping({ io }: SourceCall): () => boolean {
  let isStopping = false
  io.onSignal(() => {
    isStopping = true
  })
  return () => isStopping
}

function sourceUrl({ argument, io }: SourceCall): string {
  if ('refusals' in databaseUrl.parse(argument)) {
    throw usageRefusal('The database is sqlite:<file> or postgres://….')
  }
  const file = argument.slice('sqlite:'.length)
  return argument.startsWith('sqlite:') ? `sqlite:${resolve(io.cwd, file)}` : argument
}

/** The zone of times that do not name one. Null for UTC. */
const timeZoneOf = ({ settings }: Auth, { hasLocalTimes, timeZone }: DjangoFacts): string | null =>
  hasLocalTimes ? (timeZone ?? settings.DJANGO_TIME_ZONE) : null

function open(url: string, options: Parameters<typeof openSource>[1]): DjangoSource {
  try {
    return openSource(url, options)
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error))
  }
}

const userTable = ({ values }: SourceCall, facts: DjangoFacts): string =>
  values['user-table'] ?? tableOfModel(values['user-app'] ?? facts.userModel)

/** Users keep their pk, so the kind must be the same. */
function refuseOtherKeys({ settings }: Auth, { kind }: UserModel): void {
  if (kind === null || kind === settings.USER_PK) return
  const keys = kind === 'uuid' ? 'UUIDs' : 'numbers'
  throw refusal(`The users of the project have ${keys}: set USER_PK to "${kind}".`)
}
