import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

/** Beside `dist`: what is built or installed anew begins without it. */
const CACHE = join(import.meta.dirname, `../code-cache/${process.version}-${process.arch}`)

/** The parts that a start does not need are loaded by then (`core/warm-up.ts`). */
const KEPT_AFTER = 5000

/** Kept code cannot import modules, so Node loads the one file that does. */
const IMPORTS = './import-module-'

const DIGEST_LENGTH = 32

/** As Node wraps a CommonJS file. On the first line, so that stack traces stay right. */
const HEAD = '(function (exports, require, __filename) {'
const TAIL = '\n})'

/**
 * Runs the program with the code that V8 compiled at an earlier start. Compiling takes a quarter of a
 * start, and Node 20 keeps compiled code only of scripts, not of modules. So the files of the program
 * are CommonJS.
 *
 * Each file has a name with a digest of its content, so a kept one never belongs to another text. V8
 * refuses what another version or other flags have made. Where the folder is read-only, every start
 * compiles.
 */
export function launch(entry: string): void {
  const loaded = new Map<string, { exports: object }>()
  /** Null once their code is kept, or they would stay in memory. */
  let compiled: Map<string, Script> | null = new Map<string, Script>()
  const requireOthers = createRequire(import.meta.url)

  load(entry)
  setTimeout(keep, KEPT_AFTER).unref()

  function load(name: string): object {
    const known = loaded.get(name)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(name, module)
    const filename = join(import.meta.dirname, name)
    scriptOf(name, filename).runInThisContext()(module.exports, requireFrom, filename)
    return module.exports
  }

  function requireFrom(id: string): unknown {
    const isOurs = id.startsWith('./') && !id.startsWith(IMPORTS)
    return isOurs ? load(id.slice(2)) : requireOthers(id)
  }

  function scriptOf(name: string, filename: string): Script {
    const cachedData = keptCode(name)
    const script = new Script(HEAD + readFileSync(filename, 'latin1') + TAIL, {
      filename,
      columnOffset: -HEAD.length,
      ...(cachedData && { cachedData }),
    })
    if (!cachedData || script.cachedDataRejected) compiled?.set(name, script)
    return script
  }

  function keep(): void {
    try {
      for (const [name, script] of compiled ?? []) keepCode(name, script.createCachedData())
    } catch {
      // The folder cannot be written, so the next start compiles, too.
    }
    compiled = null
  }
}

/** V8 does not notice a damaged one, and would run it. */
function keptCode(name: string): Buffer | undefined {
  let file: Buffer
  try {
    file = readFileSync(join(CACHE, name))
  } catch {
    return undefined
  }
  const code = file.subarray(DIGEST_LENGTH)
  return digestOf(code).equals(file.subarray(0, DIGEST_LENGTH)) ? code : undefined
}

/** Other processes may read and write the same file. */
function keepCode(name: string, code: Buffer): void {
  const file = join(CACHE, name)
  const draft = `${file}.${process.pid}`
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(draft, Buffer.concat([digestOf(code), code]))
  renameSync(draft, file)
}

const digestOf = (code: Buffer): Buffer => createHash('sha256').update(code).digest()
