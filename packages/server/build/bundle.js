import { dirname, join } from 'node:path'
import { build } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }
import { createLayers } from './layers.js'

const folder = dirname(import.meta.dirname)
const src = (name) => join(folder, `src/${name}.ts`)

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
}

const output = {
  format: 'esm',
  sourcemap: true,
  // Node reads less, and keeps less in memory. Functions keep their names, for stack traces.
  minify: {
    compress: true,
    mangle: { toplevel: true, keepNames: { function: true, class: true } },
  },
  // A single character beyond Latin-1 would double the memory that a file takes.
  charset: 'ascii',
  // All chunks are in one folder, so that files beside a source file are found beside its chunk, too.
  chunkFileNames: '[name]-[hash].js',
}

/** The program in a few files, instead of a thousand. */
export const bundleService = (dir, { plugins = [] } = {}) =>
  build({
    ...common,
    plugins,
    // What the layers need.
    preserveEntrySignatures: 'allow-extension',
    output: {
      ...output,
      dir,
      codeSplitting: {
        groups: [{ name: createLayers(folder), debugName: 'layers' }],
        includeDependenciesRecursively: false,
      },
    },
    input: {
      ...{ index: src('index'), main: src('main'), worker: src('worker') },
      testing: src('testing'),
      'testing-vitest': src('testing-vitest'),
      'testing-playwright': src('testing-playwright'),
    },
  })

/** Apart from the service, so that it is one small file, and loads nothing else. */
export const bundleVerify = (dir) =>
  build({ ...common, output: { ...output, dir }, input: { verify: src('verify') } })
