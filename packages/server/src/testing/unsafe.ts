import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isLoopback } from '../kernel/loopback.ts'
import { databaseFile, isServerDatabase } from '../settings/kinds/connection-urls.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { topLevel } from '../settings/settings.ts'
import type { SettingsInput } from '../settings/settings-input.ts'

type Where = { readonly isProduction: boolean; readonly cwd: string }

/**
 * Why the test service must not run with these settings, or null. It hands out every account to
 * everybody who can reach it, so it stays on this machine and away from real data.
 */
export function whyUnsafe(input: SettingsInput, { isProduction, cwd }: Where): string | null {
  if (isProduction) {
    return 'NODE_ENV is production. The test service gives every account to everybody, so it does not run there.'
  }
  const { PUBLIC_URL, HOST, DATABASE_URL } = resolveSettings(input)
  if (!isLoopback(new URL(PUBLIC_URL).hostname)) {
    return `PUBLIC_URL is ${PUBLIC_URL}, but the test service is for this machine only. Leave it out, or use http://localhost:<port>.`
  }
  if (!isLoopback(HOST)) {
    return `HOST is ${HOST}, but the test service is for this machine only. Leave it out, or use 127.0.0.1.`
  }
  // The default is where `serve` keeps its data. The test service does not touch it.
  if (input.DATABASE_URL === undefined) return null
  const file = databaseFile(DATABASE_URL)
  const exists = isServerDatabase(DATABASE_URL) || (file && existsSync(resolve(cwd, file)))
  if (!exists) return null
  return `DATABASE_URL names a database that exists, ${topLevel.DATABASE_URL.kind.show(DATABASE_URL)}. The test service keeps its data in memory: use --set DATABASE_URL=sqlite::memory:`
}
