// Builds `dist`: the program in a few files instead of a thousand, and the types of the public API.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'rolldown'
import { loadSource } from '../../scripts/load-source.js'
import { buildApiPage } from './build/api-page.js'
import { bundledPackages } from './build/bundled.js'
import { createLayers } from './build/layers.js'
import { licences } from './build/licences.js'
import { packagesOfPages, sbom } from './build/sbom.js'
import { buildTypes } from './build/types.js'
import manifest from './package.json' with { type: 'json' }

process.chdir(import.meta.dirname)
rmSync('dist', { recursive: true, force: true })

// Native packages are not bundled, since npm chooses the binary for the machine.
const native = [...Object.keys(manifest.dependencies), 'pg-native']
// Test runners are those of the program that is tested.
const runners = ['vitest', '@playwright/test']
const isOfPackage = (id) =>
  [...native, ...runners].some((name) => id === name || id.startsWith(`${name}/`))

const common = {
  platform: 'node',
  external: isOfPackage,
  resolve: {
    // What packages load at their start, and need only for what we do not use.
    alias: {
      // Fastify's schema compilers (`server-options.ts`), and the version that a plugin asks for.
      '@fastify/ajv-compiler': false,
      '@fastify/fast-json-stringify-compiler': false,
      semver: false,
      // Transports of pino in other threads.
      'thread-stream': false,
      // Exemplars of prom-client.
      '@opentelemetry/api': false,
    },
  },
  output: {
    dir: 'dist',
    format: 'esm',
    sourcemap: true,
    // Node reads less, and keeps less in memory. Names stay, so that stack traces can be read.
    minify: { compress: true, mangle: false },
    // All chunks are in one folder, so that files beside a source file are found beside its chunk, too.
    chunkFileNames: '[name]-[hash].js',
  },
}
const service = await build({
  ...common,
  // What the layers need.
  preserveEntrySignatures: 'allow-extension',
  output: {
    ...common.output,
    codeSplitting: {
      groups: [{ name: createLayers(import.meta.dirname), debugName: 'layers' }],
      includeDependenciesRecursively: false,
    },
  },
  input: {
    ...{ index: 'src/index.ts', main: 'src/main.ts', worker: 'src/worker.ts' },
    testing: 'src/testing.ts',
    'testing-vitest': 'src/testing-vitest.ts',
    'testing-playwright': 'src/testing-playwright.ts',
  },
})
// Apart from the service, so that it is one small file, and loads nothing else.
const verify = await build({ ...common, input: { verify: 'src/verify.ts' } })
// The hosted pages, which `packages/ui` has built before.
cpSync('../ui/dist', 'dist/pages', { recursive: true })

const packages = bundledPackages([
  ...[service, verify].flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds)),
  ...buildApiPage('dist/api-page'),
])
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(packages))
const lockfile = JSON.parse(readFileSync('../../package-lock.json', 'utf8'))
const ofPages = ['dist/pages', 'dist/pages/admin'].flatMap((folder) =>
  packagesOfPages(folder, lockfile),
)
const everything = [...packages, ...ofPages]
writeFileSync(
  'dist/sbom.cdx.json',
  `${JSON.stringify(sbom(manifest, everything, lockfile), null, 2)}\n`,
)

const { entries } = await loadSource('settings/names.ts')
const published = Object.values(manifest.exports).flatMap(({ types }) => types ?? [])
buildTypes(published, entries)
