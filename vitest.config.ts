import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { skippedForWantOfABrowser } from './packages/server/test/support/skipped-reporter.ts'

export const everyTest = ['packages/server/test/**/*.test.ts']
/** Tests whose result could depend on the database run on both. */
const product = ['packages/server/test/product/**/*.test.ts']
/** Tests of what happens before the database is read run once, on SQLite. */
const http = ['packages/server/test/http/**/*.test.ts']

export const withService = {
  setupFiles: ['packages/server/test/support/matchers.ts'],
  // Each test has its own service. Loading the program again for each file would only cost time.
  isolate: false,
}

export default defineConfig({
  // Not in the checkout, which may be read-only.
  cacheDir: join(tmpdir(), `latchkey-vitest-${process.getuid?.() ?? 0}`),
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
    reporters: ['default', skippedForWantOfABrowser],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: everyTest, exclude: [...product, ...http] },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['packages/client/test/**/*.test.ts'],
          ...withService,
          provide: { postgresUrl: null },
        },
      },
      {
        extends: true,
        test: {
          name: 'ui',
          include: ['packages/ui/test/**/*.test.ts'],
          ...withService,
          provide: { postgresUrl: null },
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: [...product, ...http],
          ...withService,
          provide: { postgresUrl: null },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: product,
          ...withService,
          globalSetup: ['packages/server/test/support/start-postgres.ts'],
        },
      },
    ],
  },
})
