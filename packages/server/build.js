// Builds `dist`: the program in a few files instead of a thousand, and the types of the public face.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { licences } from './build/licences.js'
import { keepReachableTypes } from './build/reachable-types.js'
import manifest from './package.json' with { type: 'json' }

process.chdir(import.meta.dirname)
rmSync('dist', { recursive: true, force: true })

// What is native stays a package of its own; npm chooses the binary that fits the machine.
const packages = [...Object.keys(manifest.dependencies), 'pg-native']
const isOfPackage = (id) => packages.some((name) => id === name || id.startsWith(`${name}/`))

const { output } = await build({
  input: { index: 'src/index.ts', main: 'src/main.ts' },
  platform: 'node',
  external: isOfPackage,
  // What Fastify compiles schemas with; the server leaves it none (`server-options.ts`).
  resolve: {
    alias: { '@fastify/ajv-compiler': false, '@fastify/fast-json-stringify-compiler': false },
  },
  output: {
    dir: 'dist',
    format: 'esm',
    sourcemap: true,
    // All in one folder: what is looked for beside a source file is found beside a chunk, too.
    chunkFileNames: '[name]-[hash].js',
  },
})
const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(modules))

const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
execFileSync(process.execPath, [join(typescript, '../bin/tsc'), '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
keepReachableTypes('dist/types', ['index.d.ts'])
