import type { FastifyInstance } from 'fastify'
import { type Auth, createAuth } from '../../create-auth.ts'
import { buildApp } from '../../http/build-app.ts'
import { databaseFile } from '../../settings/kinds/connection-urls.ts'
import type { LoadedSettings } from '../../settings/resolve.ts'
import { ensureSecretKey } from '../../settings/secret-key.ts'
import { type Settings, topLevel } from '../../settings.ts'
import { command } from '../command.ts'
import { loadFor, type SettingsCall, settingsOptions } from '../load-settings.ts'
import { explainingFaults } from '../open-auth.ts'
import { isLoopback, localUrl } from './address.ts'
import { banner } from './banner.ts'
import { listen } from './listen.ts'
import { untilStopped } from './stop.ts'

export const serve = command({
  name: 'serve',
  summary: 'Serve the API until a signal asks to stop',
  options: settingsOptions,
  async run(call) {
    const loaded = await loadFor(call)
    const { settings } = loaded
    const { auth, app, hasUsers } = await explainingFaults(settings, () => build(settings))
    try {
      // Before anybody learns that it serves, and may want it stopped.
      const stopped = untilStopped(app, call.io)
      const port = await listen(app, settings)
      const url = `${localUrl(settings.HOST, port)}${settings.AUTH_PREFIX}`
      announce(call, loaded, { url, hasUsers })
      auth.metrics.collectProcess()
      await stopped
    } catch (error) {
      await app.close()
      throw error
    }
  },
})

type Built = { auth: Auth; app: FastifyInstance; hasUsers: boolean }

async function build(settings: Settings): Promise<Built> {
  const auth = createAuth(ensureSecretKey(settings))
  try {
    await auth.migrate()
    const users = await auth.services.administration.list(0, 1)
    return { auth, app: await buildApp(auth), hasUsers: users.length > 0 }
  } catch (error) {
    await auth.close()
    throw error
  }
}

type Address = { readonly url: string; readonly hasUsers: boolean }

function announce(call: SettingsCall, loaded: LoadedSettings, { url, hasUsers }: Address): void {
  const { stdout, stderr } = call.io
  const { settings, origins } = loaded
  const { HOST, PUBLIC_URL } = settings
  const data = { url, database: topLevel.DATABASE_URL.kind.show(settings.DATABASE_URL) }
  // On a line of its own, as every event that is logged after it.
  if (call.json) stdout.write(`${JSON.stringify(data)}\n`)
  else stdout.write(banner({ settings, url, hasUsers, sameDatabase: sameDatabase(call, loaded) }))
  if (origins.PUBLIC_URL === 'default' && !isLoopback(HOST)) {
    stderr.write(
      `Warning: others can reach HOST ${HOST}, but links and cookies are made for ${PUBLIC_URL}; give the address that browsers use as PUBLIC_URL.\n`,
    )
  }
}

function sameDatabase({ values, io }: SettingsCall, { settings, origins }: LoadedSettings) {
  const config = values.config ?? io.env.LATCHKEY_CONFIG
  const file = databaseFile(settings.DATABASE_URL)
  const isInFile = origins.DATABASE_URL === 'default' || origins.DATABASE_URL === 'file'
  return [
    ...(config ? ['--config', config] : []),
    ...(isInFile || file === null ? [] : ['--set', `DATABASE_URL=sqlite:${file}`]),
  ]
}
