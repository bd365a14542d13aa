import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../kernel/json-object.ts'
import { parseJson } from './parse-json.ts'

const USUAL_NAMES = ['latchkey.config.json', 'latchkey.config.js']
const SCRIPTS = ['.js', '.mjs', '.cjs']

/** The content of the file, or one line that says why it cannot be used. */
export type ConfigFile =
  | { readonly where: string; readonly object: object }
  | { readonly mistake: string }

/**
 * Reads the file that was asked for, which must exist, or the first of the default names in the
 * folder.
 */
export async function readConfigFile(
  asked: string | undefined,
  cwd: string,
): Promise<ConfigFile | null> {
  for (const name of asked ? [asked] : USUAL_NAMES) {
    const path = resolve(cwd, name)
    const text = await readText(path)
    if ('text' in text) return parse(name, path, text.text)
    if (asked || text.code !== 'ENOENT') return { mistake: unreadable(name, text.code) }
  }
  return null
}

async function readText(path: string): Promise<{ text: string } | { code: string }> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? String(error.code) : 'unreadable' }
  }
}

const unreadable = (name: string, code: string): string =>
  code === 'ENOENT'
    ? `config file ${name}: does not exist`
    : `config file ${name}: cannot be read (${code})`

async function parse(name: string, path: string, text: string): Promise<ConfigFile> {
  const isScript = SCRIPTS.includes(extname(path))
  const parsed = isScript ? await runScript(path) : parseJson(text)
  if ('mistake' in parsed) return { mistake: `config file ${name}: ${parsed.mistake}` }
  const { value } = parsed
  if (isObject(value)) return { where: name, object: value }
  const place = isScript ? 'its default export' : 'it'
  return { mistake: `config file ${name}: ${place} must be an object with settings` }
}

async function runScript(path: string): Promise<{ value: unknown } | { mistake: string }> {
  try {
    const module: { default?: unknown } = await import(pathToFileURL(path).href)
    return { value: module.default }
  } catch (error) {
    const [reason] = String(error).split('\n')
    return { mistake: `cannot be run: ${reason}` }
  }
}
