/** The public API of `latchkey/testing`: the real service, for the tests of other programs. */
import { isProduction } from './library/settings.ts'
import type { SettingsInput } from './settings/settings-input.ts'
import { clientOf } from './testing/client.ts'
import type { TestService } from './testing/client-types.ts'
import { runTestService } from './testing/run.ts'
import { type Seed, usersOf } from './testing/seed.ts'

export { connectTestService, TestServiceError } from './testing/client.ts'
export type * from './testing/client-types.ts'
export type { TestLetter } from './testing/mailbox.ts'
export type { TestUser } from './testing/new-users.ts'
export type { VirtualPasskey } from './testing/virtual-passkey.ts'

/** How to start a test service. */
export type TestServiceOptions = {
  /** In the shape of the config file. Neither the file nor the environment is read. */
  readonly settings?: SettingsInput
  /** The users that are there from the start, and after each reset. */
  readonly seed?: Seed
  /** By default a free one. */
  readonly port?: number
}

/** Starts the service in this process: in memory, on this machine only, and for tests only. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { settings = {}, seed = {}, port = 0 } = options
  const users = usersOf(seed)
  const where = { isProduction: isProduction(), cwd: process.cwd() }
  const { url, stop } = await runTestService({ settings, seed: users, port, ...where })
  return clientOf(url, undefined, stop)
}
