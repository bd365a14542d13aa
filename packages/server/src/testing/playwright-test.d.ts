/** As much of the types of `@playwright/test` as the fixtures need. It is not installed here. */
declare module '@playwright/test' {
  import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

  export type { BrowserContext, Page }

  export type PlaywrightTestArgs = { context: BrowserContext; page: Page }
  export type PlaywrightTestOptions = {
    baseURL: string | undefined
    extraHTTPHeaders: Record<string, string> | undefined
    contextOptions: BrowserContextOptions
  }
  export type PlaywrightWorkerArgs = { browser: Browser }
  export type PlaywrightWorkerOptions = { browserName: string }

  type WorkerInfo = { parallelIndex: number }
  type Fixture<T, Args> = (
    args: Args,
    use: (value: T) => Promise<void>,
    info: WorkerInfo,
  ) => unknown
  type How = { scope?: 'test' | 'worker'; option?: true }
  type Fixtures<T, W, TA, WA> = {
    [K in keyof T]?:
      | Fixture<T[K], T & W & TA & WA>
      | readonly [Fixture<T[K], T & W & TA & WA> | T[K], How]
  } & { [K in keyof W]?: readonly [Fixture<W[K], W & WA> | W[K], How] } & {
    [K in keyof TA]?: Fixture<TA[K], T & W & TA & WA>
  }

  export interface TestType<TA, WA> {
    (title: string, body: (args: TA & WA) => unknown): void
    use(options: Partial<TA & WA>): void
    extend<T, W>(fixtures: Fixtures<T, W, TA, WA>): TestType<TA & T, WA & W>
  }

  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >
  export const expect: (value: unknown) => { readonly [name: string]: () => Promise<void> }
  export function defineConfig<T, W>(config: {
    use?: Partial<T & W & PlaywrightTestOptions>
    webServer?: readonly { command: string; url: string }[]
  }): object
}
