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

const ENTRY = 'src/main.tsx'

const at = (path: string) => new URL(path, BUILT_PAGES)
const readJson = async (path: string) => JSON.parse(await readFile(at(path), 'utf8'))

export const createBuiltFiles = (): (() => Promise<BuiltFiles>) => once(load)

async function load(): Promise<BuiltFiles> {
  const { file, css } = (await readJson('manifest.json'))[ENTRY]
  const [style] = css
  const languages = await readdir(at('words/'))
  return {
    script: file,
    style: { file: style, text: await readFile(at(style), 'utf8') },
    assets: await readAssets(at('assets/')),
    words: new Map(await Promise.all(languages.map(readWords))),
  }
}

async function readWords(name: string): Promise<[string, Words]> {
  return [name.replace('.json', ''), createWords(await readJson(`words/${name}`))]
}
