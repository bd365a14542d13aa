import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compiles a file of C beside this one into a library that changes the system calls of a program. */
export function preload(name, folder) {
  const library = join(folder, `${name}.so`)
  const source = fileURLToPath(new URL(`${name}.c`, import.meta.url))
  execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source])
  return { LD_PRELOAD: library }
}
