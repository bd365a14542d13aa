import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { rollUp } from './roll-up.js'
import { settingsInput } from './settings-input.js'

const typescript = createRequire(import.meta.url).resolve('typescript/package.json')

/** Writes the types of each entry of the package into one file. */
export function buildTypes(files, entries, groupDocs) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'latchkey-types-')))
  try {
    const options = ['-p', 'tsconfig.build.json', '--outDir', folder]
    execFileSync(process.execPath, [join(typescript, '../bin/tsc'), ...options], {
      stdio: 'inherit',
    })
    nameDeclarations(folder)
    // The commands load some of their code from the package beside this one.
    const own = join(folder, 'server/src')
    const table = join(own, 'settings/settings.d.ts')
    writeFileSync(
      join(own, 'settings/settings-input.d.ts'),
      settingsInput(table, entries, groupDocs),
    )
    for (const file of files) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, rollUp(join(own, basename(file)), folder))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The compiler keeps the names of source files in imports. */
function nameDeclarations(folder) {
  const IMPORTED = /(?<=(?:from |import\()['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(IMPORTED, '.js'))
  }
}
