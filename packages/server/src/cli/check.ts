import type { Finding } from '../features/administration/findings/finding.ts'
import { settingFindings } from '../features/administration/findings/setting-findings.ts'
import { configureProviders } from '../features/social/configuration/configure-providers.ts'
import { counted } from '../kernel/texts.ts'
import { databaseFile } from '../settings/kinds/connection-urls.ts'
import type { LoadedSettings } from '../settings/resolve.ts'
import { keyFileOf, withStoredKey } from '../settings/secret-key.ts'
import type { Settings } from '../settings/settings.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import { migrations } from '../storage/migrations/all.ts'
import { command } from './command.ts'
import { isThere } from './database-file.ts'
import { databaseFindings, good } from './database-findings.ts'
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
    if (settings.MODULES.includes('social')) configureProviders(settings.SOCIALACCOUNT.PROVIDERS)
    if (Object.keys(settings.ROUTES).length > 0) await checkRoutes(settings)
    const database = await databaseFindings(settings)
    const findings = [
      settingsFinding(loaded),
      ...database,
      ...settingFindings(loaded, { deploy }),
      ...(database.some(needsMending) ? [] : await storedFindings(settings, { deploy })),
    ]
    const toMend = findings.filter(needsMending).length
    call.say(findings.map(lineOf).join('\n'), { ok: toMend === 0, findings })
    if (toMend > 0) throw refusal(`${counted(toMend, 'finding')}.`)
  },
})

/** Wrong settings were already refused when they were loaded. */
function settingsFinding({ origins }: LoadedSettings): Finding {
  const given = Object.values(origins).filter((origin) => origin !== 'default').length
  return good('settings', `valid (${given} given, all others have their default)`)
}

/** Throws if the start would refuse `ROUTES`. The endpoints depend on the settings, not on the database. */
const checkRoutes = (settings: Settings): Promise<void> =>
  withOpenService({ ...settings, DATABASE_URL: 'sqlite::memory:' }, async () => {})

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
  const keyFile = keyFileOf(DATABASE_URL)
  if (file === null || keyFile === null) return SECRET_KEY !== null
  return isThere(file) && (SECRET_KEY !== null || isThere(keyFile))
}

function lineOf({ about, says, mend, also }: Finding): string {
  if (mend === null) return `ok    ${about}: ${says}`
  const more = also ? ` This also fixes ${also.join(', ')}.` : ''
  return `fix   ${about}: ${says}. ${sentence(mend)}.${more}`
}
