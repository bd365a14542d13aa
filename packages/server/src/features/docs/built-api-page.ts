import { readFile } from 'node:fs/promises'
import { BUILT_API_PAGE } from '../../built-pages.ts'
import { type Assets, readAssets } from '../../kernel/asset-files.ts'
import { once } from '../../kernel/promises.ts'

/** What `build/api-page.js` has put together. */
export type ApiPage = {
  /** In the order in which the page loads them. */
  scripts: readonly string[]
  styles: readonly string[]
  assets: Assets
}

/** Reads it at the first visit, since few ever come. */
export const createApiPage = (): (() => Promise<ApiPage>) =>
  once(async () => {
    const manifest = await readFile(new URL('manifest.json', BUILT_API_PAGE), 'utf8')
    const { scripts, styles } = JSON.parse(manifest)
    return { scripts, styles, assets: await readAssets(new URL('assets/', BUILT_API_PAGE)) }
  })
