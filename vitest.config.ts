import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { skippedForWantOfABrowser } from './packages/server/test/support/skipped-reporter.ts'

/** Every product test runs on both databases; the rest knows neither. */
const product = {
  include: ['packages/server/test/product/**/*.test.ts'],
  // Each test has a service of its own; loading the program anew for each file would only cost time.
  isolate: false,
}
const setupFiles = ['packages/server/test/support/matchers.ts']

export default defineConfig({
  // Not in the checkout, which may belong to somebody else.
  cacheDir: join(tmpdir(), `latchkey-vitest-${process.getuid?.() ?? 0}`),
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
    reporters: ['default', skippedForWantOfABrowser],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/server/test/**/*.test.ts'],
          exclude: product.include,
        },
      },
      {
        extends: true,
        test: { name: 'sqlite', ...product, setupFiles, provide: { postgresUrl: null } },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          ...product,
          setupFiles,
          globalSetup: ['packages/server/test/support/start-postgres.ts'],
        },
      },
    ],
  },
})
