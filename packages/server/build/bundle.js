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
  sourcemap: true,
  // Node reads less, and keeps less in memory. Functions keep their names, for stack traces.
  minify: {
    compress: true,
    mangle: { toplevel: true, keepNames: { function: true, class: true } },
  },
  // A single character beyond Latin-1 would double the memory that a file takes.
  charset: 'ascii',
}

const module = { ...output, format: 'esm' }

/** The program in a few files, instead of a thousand, and the modules by which it is entered. */
export async function bundleService(dir, { plugins = [] } = {}) {
  const { output: chunks } = await build({
    ...common,
    plugins: [...plugins, entries],
    // What the layers need.
    preserveEntrySignatures: 'allow-extension',
    output: {
      ...output,
      dir,
      // So that V8 need not compile it at every start (`src/launch.ts`).
      format: 'cjs',
      strict: true,
      // All chunks are in one folder, so that files beside a source file are found beside its chunk, too.
      entryFileNames: '[name]-[hash].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      codeSplitting: {
        groups: [{ name: createLayers(folder), debugName: 'layers' }],
        includeDependenciesRecursively: false,
      },
    },
    input: Object.fromEntries(
      ['index', 'main', 'worker', 'testing'].map((name) => [name, src(name)]),
    ),
  })
  await bundleModule(dir, 'launch')
  // Test runners import only modules.
  for (const name of ['testing-vitest', 'testing-playwright']) {
    await bundleModule(dir, name, { plugins: [besideTesting] })
  }
  return chunks
}

/** Writes the modules `index.js`, `main.js` and so on, which lead to the files with a digest in their name. */
const entries = {
  name: 'entries',
  generateBundle(_options, bundle) {
    for (const { isEntry, name, fileName, facadeModuleId } of Object.values(bundle)) {
      if (!isEntry) continue
      const names = this.getModuleInfo(facadeModuleId).exports
      const source = names.length > 0 ? exporting(fileName, names) : launching(fileName)
      this.emitFile({ type: 'asset', fileName: `${name}.js`, source })
    }
  },
}

const launching = (file) => `import { launch } from './launch.js'\nlaunch('${file}')\n`

/** For a host, which loads files in its own way. */
const exporting = (file, names) =>
  `import file from './${file}'\nexport const { ${names.toSorted().join(', ')} } = file\n`

const besideTesting = {
  name: 'beside-testing',
  resolveId: (id) => (id === './testing.ts' ? { id: './testing.js', external: true } : null),
}

/** Apart from the program, so that it is one small file, and loads nothing else. */
async function bundleModule(dir, name, { plugins = [] } = {}) {
  const input = { [name]: src(name) }
  const { output: chunks } = await build({ ...common, plugins, output: { ...module, dir }, input })
  return chunks
}

export const bundleVerify = (dir) => bundleModule(dir, 'verify')
