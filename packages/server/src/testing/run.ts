import { resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createCommandLogger } from '../server/logger.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import { TestRefusal } from './refusal.ts'
import { readSeed } from './seed.ts'
import { startTestServer, type TestServer } from './server.ts'
import { whyUnsafe } from './unsafe.ts'

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
  const unsafe = whyUnsafe(settings, needs)
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
