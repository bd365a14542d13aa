import { readFile } from 'node:fs/promises'
import { BUILT_PAGES } from '../../built-pages.ts'
import { type Assets, readAssets } from '../../kernel/asset-files.ts'
import { once } from '../../kernel/promises.ts'

/** What `packages/ui` builds. */
export type BuiltFiles = {
  /** What every page loads first. The names contain a digest of the content. */
  script: string
  style: { file: string; text: string }
  assets: Assets
}

/** The hosted pages, and those for operators. */
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
  return {
    script: file,
    style: { file: style, text: await readFile(at(`${folder}${style}`), 'utf8') },
    assets: await readAssets(at(`${folder}assets/`)),
  }
}
