import { fromSources } from '../../scripts/from-sources.js'
import { SECRET_KEY } from './people.js'

/** The service inside this process, from the sources, over a database that is up to date. Only warnings are printed. */
export async function composeService(url) {
  const sources = await fromSources({
    'compose-service.ts': 'composeService',
    'settings/resolve.ts': 'resolveSettings',
  })
  const none = () => {}
  const warn = ({ err, table = '' }, message) =>
    void process.stderr.write(`${message} ${table} ${err?.message ?? ''}\n`)
  const log = { level: 'warn', fatal: warn, error: warn, warn, info: none, debug: none }
  const settings = sources.resolveSettings({ SECRET_KEY, DATABASE_URL: url, LOG_LEVEL: 'warn' })
  const service = sources.composeService(settings, { log })
  await service.migrate()
  return service
}
