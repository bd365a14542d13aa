import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../kernel/json-object.ts'
import { withoutMark } from '../kernel/texts.ts'

export const USUAL_NAMES = [
  'latchkey.config.json',
  'latchkey.config.js',
  'latchkey.config.mjs',
] as const
const SCRIPTS = ['.js', '.mjs', '.cjs']

/** The content of the file, or one line that says why it cannot be used. */
type ConfigFile = { readonly where: string; readonly object: object } | { readonly mistake: string }

/**
 * Reads the named file, which must exist, or the one in the folder with a usual name. Two such
 * files are a mistake, since it would be unclear which one applies.
 */
export async function readConfigFile(
  asked: string | undefined,
  cwd: string,
): Promise<ConfigFile | null> {
  if (asked === '') return { mistake: 'config file: --config names no file' }
  if (asked !== undefined) return readNamed(asked, cwd)
  const [name, other] = USUAL_NAMES.filter((usual) => existsSync(resolve(cwd, usual)))
  if (name === undefined) return null
  if (other === undefined) return readNamed(name, cwd)
  return {
    mistake: `config file: both ${name} and ${other} exist; keep one of them, or name one with --config`,
  }
}

async function readNamed(name: string, cwd: string): Promise<ConfigFile> {
  const path = resolve(cwd, name)
  try {
    return await parse(name, path, await readFile(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    return { mistake: `config file ${name}: ${why}` }
  }
}

async function parse(name: string, path: string, text: string): Promise<ConfigFile> {
  const isScript = SCRIPTS.includes(extname(path))
  const parsed = isScript ? await runScript(path) : readJson(text)
  if ('mistake' in parsed) return { mistake: `config file ${name}: ${parsed.mistake}` }
  const { value } = parsed
  if (isObject(value)) return { where: name, object: value }
  const place = isScript ? 'its default export' : 'it'
  return { mistake: `config file ${name}: ${place} must be an object with settings` }
}

async function runScript(path: string): Promise<{ value: unknown } | { mistake: string }> {
  try {
    const { importModule } = await import('./import-module.ts')
    const { default: value } = await importModule(pathToFileURL(path).href)
    return { value }
  } catch (error) {
    const [reason] = String(error).split('\n')
    return { mistake: `cannot be run: ${reason}` }
  }
}

/** Returns the value, or what is wrong with the text, without quoting it. */
export function readJson(text: string): { value: unknown } | { mistake: string } {
  const json = withoutMark(text)
  try {
    const value: unknown = JSON.parse(json)
    const twice = nameTwiceIn(json)
    return twice === null ? { value } : { mistake: `names ${twice} twice` }
  } catch (error) {
    // The parser's message quotes the text around the error, which may contain a secret.
    const position = /position (\d+)/.exec(String(error))?.[1]
    return { mistake: `is not valid JSON${position ? lineAndColumn(json, Number(position)) : ''}` }
  }
}

/**
 * The first name that an object of valid JSON has twice. Of the two values, `JSON.parse` silently
 * keeps only the last.
 */
function nameTwiceIn(json: string): string | null {
  const open: Set<string>[] = []
  for (const [, text, colon, brace] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|([{}])/g)) {
    if (brace === '{') open.push(new Set())
    if (brace === '}') open.pop()
    if (text === undefined || colon === undefined) continue
    const name: string = JSON.parse(text)
    if (open.at(-1)?.has(name)) return name
    open.at(-1)?.add(name)
  }
  return null
}

function lineAndColumn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return ` (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`
}
