// Builds `dist`: one readable file for each entry, and the types.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { keepReachableTypes } from './build/reachable-types.js'

process.chdir(import.meta.dirname)
rmSync('dist', { recursive: true, force: true })

await build({
  input: { index: 'src/index.ts', react: 'src/react.ts' },
  platform: 'neutral',
  external: ['react'],
  output: { dir: 'dist', format: 'esm', sourcemap: true },
})

const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
execFileSync(process.execPath, [join(typescript, '../bin/tsc'), '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
keepReachableTypes('dist/types', ['index.d.ts', 'react.d.ts'])
