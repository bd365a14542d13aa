import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { isLoopback } from '../kernel/hosts.ts'
import { createCommandLogger } from '../server/logger.ts'
import { databaseFile, isServerDatabase } from '../settings/kinds/connection-urls.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { topLevel } from '../settings/settings.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import { TestRefusal } from './refusal.ts'
import { readSeed } from './seed.ts'
import { startTestServer, type TestServer } from './server.ts'

type Needs = {
  readonly settings: SettingsInput
  readonly seed: readonly unknown[] | { readonly file: string }
  readonly port: number
  readonly isProduction: boolean
  readonly cwd: string
}

/** Starts the test service, unless that would be unsafe. A refusal is a `TestRefusal`. */
export async function runTestService(needs: Needs): Promise<TestServer> {
  const { settings, seed, port, cwd } = needs
  const unsafe = whyUnsafe(needs)
  if (unsafe) throw new TestRefusal(unsafe)
  const users = 'file' in seed ? readSeed(resolve(cwd, seed.file)) : seed
  // Standard output has one line, the addresses.
  const log: FastifyBaseLogger = createCommandLogger(resolveSettings(settings))
  try {
    return await startTestServer({ settings, seed: users, port, log })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new TestRefusal(`Port ${port} cannot be used (${code}). With 0 a free one is chosen.`)
  }
}

/**
 * Why the test service must not run with these settings, or null. It hands out every account to
 * everybody who can reach it, so it stays on this machine and away from real data.
 */
function whyUnsafe({ settings: input, isProduction, cwd }: Needs): string | null {
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
