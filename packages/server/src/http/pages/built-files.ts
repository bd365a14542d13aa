import { readdir, readFile } from 'node:fs/promises'
import { BUILT_PAGES } from '../../built-pages.ts'
import { type Assets, readAssets } from '../../kernel/asset-files.ts'
import { once } from '../../kernel/promises.ts'
import { createWords, type Words } from '../../kernel/words.ts'

/** What `packages/ui` builds. */
export type BuiltFiles = {
  /** What every page loads first. The names contain a digest of the content. */
  script: string
  style: { file: string; text: string }
  assets: Assets
  /** By language. */
  words: ReadonlyMap<string, Words>
}

/** The hosted pages, and those for operators, which also use the words of the first. */
const BUILDS = {
  site: { folder: '', entry: 'src/main.tsx' },
  admin: { folder: 'admin/', entry: 'src/admin/main.tsx' },
} as const

type Build = keyof typeof BUILDS

const at = (path: string) => new URL(path, BUILT_PAGES)
const readJson = async (path: string) => JSON.parse(await readFile(at(path), 'utf8'))

export const createBuiltFiles = (build: Build): (() => Promise<BuiltFiles>) =>
  once(() => load(build))

async function load(build: Build): Promise<BuiltFiles> {
  const { folder, entry } = BUILDS[build]
  const { file, css } = (await readJson(`${folder}manifest.json`))[entry]
  const [style] = css
  const languages = await readdir(at('words/'))
  const folders = [...new Set(['', folder])]
  return {
    script: file,
    style: { file: style, text: await readFile(at(`${folder}${style}`), 'utf8') },
    assets: await readAssets(at(`${folder}assets/`)),
    words: new Map(await Promise.all(languages.map((name) => readWords(name, folders)))),
  }
}

async function readWords(name: string, folders: readonly string[]): Promise<[string, Words]> {
  const all = await Promise.all(folders.map((folder) => readJson(`${folder}words/${name}`)))
  return [name.replace('.json', ''), createWords(Object.assign({}, ...all))]
}
