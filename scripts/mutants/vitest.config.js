import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { withService } from '../../vitest.config.ts'
import { edited } from '../torture/edit-product.js'
import { IS_MAKING, ROUND, ROUND_OF_SERVERS, withMutants } from './find-mutants.js'

/** What `run-mutants.js` wants to know. */
const plan = JSON.parse(readFileSync(process.env.MUTANTS_PLAN, 'utf8'))

const KEPT_APP = 'packages/server/test/support/kept-app.ts'

/** A query or a server that was made without the mutant would hide it. */
const FORGETFUL = [
  {
    file: 'packages/server/src/storage/query.ts',
    from: "values.map(formOf).join(' ') : ''",
    to: `values.map(formOf).join(' ') + ${ROUND} : String(${ROUND})`,
  },
  {
    file: KEPT_APP,
    from: "key === null ? '' : routesOf(service, endpoints, key)",
    to: `key === null ? '' : routesOf(service, endpoints, key) + ${ROUND_OF_SERVERS}`,
  },
  {
    file: KEPT_APP,
    from: 'const app = await buildApp(standIn(serves))\n  await app.ready()',
    to: `${IS_MAKING} = true
      const app = await buildApp(standIn(serves))
      await app.ready()
      ${IS_MAKING} = false`,
  },
]

export default defineConfig({
  root: plan.root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform(code, id) {
        const source = plan.sources.find(({ path }) => id === path)
        if (source) return { code: withMutants(code, source.firstId).code, map: null }
        const edits = FORGETFUL.filter(({ file }) => id === `${plan.root}/${file}`)
        return edits.length > 0 ? { code: edits.reduce(edited, code), map: null } : null
      },
    },
  ],
  test: {
    include: ['scripts/mutants/try-mutants.js'],
    ...withService,
    provide: { postgresUrl: null, poolerPort: null, mutants: plan },
    // A mutant that hangs counts as noticed.
    testTimeout: 30_000,
    isolate: false,
    maxWorkers: 1,
    // With mutants, it would name every test that has noticed one.
    reporters: [plan.tries ? {} : 'dot'],
    silent: true,
    dangerouslyIgnoreUnhandledErrors: true,
  },
})
