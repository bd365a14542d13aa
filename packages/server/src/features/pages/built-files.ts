import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { BUILT_PAGES } from '../../built-pages.ts'
import { createWords, type Words } from './words.ts'

export type Asset = { type: string; plain: Buffer; gzipped: Buffer }

/** What `packages/ui` builds. */
export type BuiltFiles = {
  /** What every page loads first. The names contain a digest of the content. */
  script: string
  style: string
  assets: ReadonlyMap<string, Asset>
  /** By language. */
  words: ReadonlyMap<string, Words>
}

const ENTRY = 'src/main.tsx'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

const compress = promisify(gzip)
const at = (path: string) => new URL(path, BUILT_PAGES)
const readJson = async (path: string) => JSON.parse(await readFile(at(path), 'utf8'))

/** Reads all files once. They are few and small, so they stay in memory. */
export function createBuiltFiles(): () => Promise<BuiltFiles> {
  let loading: Promise<BuiltFiles> | undefined
  return () => {
    // A failure is not remembered: the next visitor tries again.
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

async function load(): Promise<BuiltFiles> {
  const { file, css } = (await readJson('manifest.json'))[ENTRY]
  const names = await readdir(at('assets/'))
  const languages = await readdir(at('words/'))
  return {
    script: file,
    style: css[0],
    assets: new Map(await Promise.all(names.map(readAsset))),
    words: new Map(await Promise.all(languages.map(readWords))),
  }
}

async function readAsset(name: string): Promise<[string, Asset]> {
  const plain = await readFile(at(`assets/${name}`))
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  return [name, { type, plain, gzipped: await compress(plain) }]
}

async function readWords(name: string): Promise<[string, Words]> {
  return [name.replace('.json', ''), createWords(await readJson(`words/${name}`))]
}
