import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { folderOf, server, tsc } from './support.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')

/** As a careful host compiles: the declarations of its packages are checked, too. */
const OPTIONS = {
  strict: true,
  skipLibCheck: false,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  noEmit: true,
}

/**
 * A folder in which the declarations of the package are installed, and besides only the packages
 * that are named. The package is a copy: a link would lead back to our own dependencies.
 */
export async function hostWith(...packages: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-types-'))
  const modules = join(folder, 'node_modules')
  for (const name of ['package.json', 'dist/types']) {
    cpSync(join(server, name), join(modules, 'latchkey', name), { recursive: true })
  }
  for (const name of ['@types/node', ...packages]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(folderOf(name), join(modules, name))
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')

  return {
    folder,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    /** What the compiler says about files of the folder, or programs of ours with these names. */
    compile(names: readonly string[], options: object = {}): string {
      for (const name of names) {
        if (!existsSync(join(folder, name))) cpSync(join(PROGRAMS, name), join(folder, name))
      }
      const project = { compilerOptions: { ...OPTIONS, ...options }, files: names }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
      return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
