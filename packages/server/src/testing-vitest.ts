/** The public API of `latchkey/testing/vitest`. */
import { type TestAPI, test as vitest } from 'vitest'
import { startTestService, type TestService, type TestServiceOptions } from './testing.ts'

/** What a test gets. */
export type LatchkeyFixtures = {
  /** The service of the test file. It goes back to its seed before each test. */
  latchkey: TestService
}

/** Makes a `test` whose service has these settings and this seed. */
export const createTest = (options: TestServiceOptions = {}): TestAPI<LatchkeyFixtures> =>
  vitest
    .extend<{ latchkeyOfFile: TestService }>({
      latchkeyOfFile: [
        // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of other fixtures here.
        async ({}, use) => {
          const service = await startTestService(options)
          await use(service)
          await service.stop()
        },
        { scope: 'file' },
      ],
    })
    .extend<LatchkeyFixtures>({
      latchkey: async ({ latchkeyOfFile }, use) => {
        await latchkeyOfFile.reset()
        await use(latchkeyOfFile)
      },
    })

/** A `test` with a service of the default settings. */
export const test: TestAPI<LatchkeyFixtures> = createTest()
