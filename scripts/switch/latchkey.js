import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.js'
import { run } from '../run-program.js'
import { findLink } from '../torture/parts/mails.js'
import { start } from './start.js'

const program = fileURLToPath(new URL('../../packages/server/bin/latchkey.js', import.meta.url))

/** Latchkey as an operator uses it: commands in a folder with a config file. */
export function latchkeyIn(folder) {
  const env = { PATH: process.env.PATH }
  const config = join(folder, 'latchkey.config.json')
  const command = (args, options) =>
    run(process.execPath, [program, ...args], { cwd: folder, env, timeout: 120_000, ...options })

  return {
    command,

    async changeConfig(more) {
      const before = JSON.parse(await readFile(config, 'utf8'))
      await writeFile(config, JSON.stringify({ ...before, ...more }, null, 2))
    },

    async serve(databaseUrl) {
      const port = String(await freePort())
      const origin = `http://127.0.0.1:${port}`
      const stop = await start(process.execPath, [program, 'serve'], {
        cwd: folder,
        env: { ...env, PORT: port, DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' },
        stdio: 'ignore',
        url: `${origin}/readyz`,
      })
      return { origin, stop }
    },

    mailed: async (address, pattern) =>
      (await findLink(join(folder, 'mails'), address, pattern)).slice(1),
  }
}
