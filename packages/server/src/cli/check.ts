import { composeService } from '../compose-service.ts'
import { settingFindings } from '../features/administration/findings/setting-findings.ts'
import { NativeModuleError } from '../kernel/native-module.ts'
import { SettingsError } from '../kernel/settings-error.ts'
import { counted } from '../kernel/texts.ts'
import { createCommandLogger } from '../server/logger.ts'
import { type Finding, good } from '../settings/finding.ts'
import { databaseFile, isServerDatabase } from '../settings/kinds/connection-urls.ts'
import type { LoadedSettings } from '../settings/resolve.ts'
import { ensureSecretKey, withStoredKey } from '../settings/secret-key.ts'
import type { Settings } from '../settings/settings.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import { migrations } from '../storage/migrations/all.ts'
import { command } from './command.ts'
import { isThere } from './database-file.ts'
import { databaseFindings } from './database-findings.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { withOpenService } from './open-service.ts'
import { sentence } from './output.ts'
import { refusal } from './refusal.ts'

export const check = command({
  options: {
    deploy: {
      type: 'flag',
      doc: 'Also report settings and operators that are unsafe in production, and former keys',
    },
    ...settingsOptions,
  },
  async run(call) {
    const given = await loadFor(call)
    const settings = withStoredKey(given.settings)
    const loaded = { ...given, settings }
    const { deploy } = call.values
    const mistakes = await startMistakes(settings)
    const database = await databaseFindings(settings)
    const ofSettings = settingFindings(loaded, { deploy })
    const opens = mistakes.length === 0 && !database.some(needsMending)
    // Keys that cannot be used are a finding already.
    const others = mistakes.filter((mistake) => !ofSettings.some(({ says }) => says === mistake))
    const findings = [
      ...(others.length === 0 ? [valid(loaded)] : others.map(mistaken)),
      ...database,
      ...ofSettings,
      ...(opens ? await storedFindings(settings, { deploy }) : []),
    ]
    const toMend = findings.filter(needsMending).length
    call.say(findings.map(lineOf).join('\n'), { ok: toMend === 0, findings })
    if (toMend > 0) throw refusal(`${counted(toMend, 'finding')}.`)
  },
})

/** Wrong values were already refused when they were loaded. */
function valid({ origins }: LoadedSettings): Finding {
  const given = Object.values(origins).filter((origin) => origin !== 'default').length
  return good('settings', `valid (${given} given, all others have their default)`)
}

const mistaken = (mistake: string): Finding => ({
  about: 'settings',
  says: mistake.replace(/\.$/, ''),
  mend: 'correct it, since the service does not start with it',
})

/** What the start would refuse besides: files, keys, providers and paths. They need no database. */
async function startMistakes(settings: Settings): Promise<readonly string[]> {
  const { DATABASE_URL: given } = settings
  // Connects to a server only with the first query. A file would be created at once.
  const DATABASE_URL = isServerDatabase(given) ? given : 'sqlite::memory:'
  const log = createCommandLogger(settings)
  try {
    await composeService(ensureSecretKey({ ...settings, DATABASE_URL }), { log }).close()
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    // A package that cannot be loaded is a finding of its own.
    if (error instanceof NativeModuleError) return []
    throw error
  }
}

const needsMending = ({ mend }: Finding): boolean => mend !== null

/** What the database shows, if it is there and up to date. */
async function storedFindings(
  settings: Settings,
  how: { deploy: boolean },
): Promise<readonly Finding[]> {
  if (!isReadable(settings)) return []
  return withOpenService(settings, async ({ connection, services }) => {
    const pending = await pendingMigrations(connection, migrations)
    return pending.length > 0 ? [] : services.findings.ofDatabase(how)
  })
}

/** A check must create neither a key nor a database. */
function isReadable({ SECRET_KEY, DATABASE_URL }: Settings): boolean {
  const file = databaseFile(DATABASE_URL)
  return SECRET_KEY !== null && (file === null || isThere(file))
}

function lineOf({ about, says, mend, also }: Finding): string {
  if (mend === null) return `ok    ${about}: ${says}`
  const more = also ? ` This also fixes ${also.join(', ')}.` : ''
  return `fix   ${about}: ${says}. ${sentence(mend)}.${more}`
}
