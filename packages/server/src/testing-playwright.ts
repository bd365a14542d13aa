/** The public API of `latchkey/testing/playwright`. */
import {
  expect as baseExpect,
  test as baseTest,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import { addToBrowser } from './testing/virtual-authenticator.ts'
import {
  connectTestService,
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestUser,
  type UserInput,
  type VirtualPasskey,
} from './testing.ts'

/** Where the service of a worker comes from. */
export type LatchkeyOptions = TestServiceOptions & {
  /**
   * The address of a service that runs already, such as `http://localhost:9100`. Each worker then gets
   * a space of it. Without an address, each worker starts a service.
   */
  readonly url?: string
}

/** What each test gets. */
export type LatchkeyFixtures = {
  /** The service of this worker. It goes back to its seed before each test. */
  latchkey: TestService
  /** The options of `user`. */
  userOptions: UserInput
  /** A new user, with a credential of every kind. */
  user: TestUser
  /** A page of a browser of its own in which `user` is signed in. */
  signedInPage: Page
  /** Gives the browser of the page an authenticator with a passkey. Only Chromium can do that. */
  addPasskey(passkey: VirtualPasskey | null, page?: Page): Promise<void>
}

/** What each worker has. */
export type LatchkeyWorkerFixtures = {
  /** The settings and the seed of the service, for `use` in the config file. */
  latchkeyOptions: LatchkeyOptions
  /** The service before it is reset. Use `latchkey`. */
  latchkeyOfWorker: TestService
}

/** The `test` of Playwright, with the service and users. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & LatchkeyFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & LatchkeyWorkerFixtures
> = baseTest.extend<LatchkeyFixtures, LatchkeyWorkerFixtures>({
  latchkeyOptions: [{}, { scope: 'worker', option: true }],

  latchkeyOfWorker: [
    async ({ latchkeyOptions }, use, { parallelIndex }) => {
      const { url, ...options } = latchkeyOptions
      const service =
        url === undefined
          ? await startTestService(options)
          : await connectTestService(url, `w${parallelIndex}`)
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],

  latchkey: async ({ latchkeyOfWorker }, use) => {
    await latchkeyOfWorker.reset()
    await use(latchkeyOfWorker)
  },

  // A program under test may have an address of its own.
  baseURL: async ({ latchkey, baseURL }, use) => use(baseURL ?? latchkey.url),

  // Pages of the program under test call the first address. The header leads them to this space.
  extraHTTPHeaders: async ({ latchkey, extraHTTPHeaders }, use) =>
    use({ ...extraHTTPHeaders, ...latchkey.headers }),

  userOptions: [{}, { option: true }],

  user: async ({ latchkey, userOptions }, use) => use(await latchkey.user(userOptions)),

  signedInPage: async ({ browser, user, baseURL, extraHTTPHeaders }, use) => {
    if (user.cookies.length === 0) {
      throw new Error('A page is signed in by a cookie, but these settings give none.')
    }
    const headers = extraHTTPHeaders === undefined ? {} : { extraHTTPHeaders }
    const context = await browser.newContext({ ...(baseURL && { baseURL }), ...headers })
    await context.addCookies([...user.cookies])
    await use(await context.newPage())
    await context.close()
  },

  addPasskey: async ({ page }, use) =>
    use((passkey, other = page) => addToBrowser(other.context(), other, passkey)),
})

/** The `expect` of Playwright. */
export const expect: typeof baseExpect = baseExpect
