// Builds `dist`: the program in a few files instead of a thousand, and the types of the public API.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fromSources } from '../../scripts/from-sources.js'
import { buildApiPage } from './build/api-page.js'
import { bundleService, bundleVerify } from './build/bundle.js'
import { bundledPackages } from './build/bundled.js'
import { fillCodeCache } from './build/fill-code-cache.js'
import { licences } from './build/licences.js'
import { packagesOfPages, sbom } from './build/sbom.js'
import { buildTypes } from './build/types.js'
import manifest from './package.json' with { type: 'json' }

process.chdir(import.meta.dirname)
for (const folder of ['dist', 'code-cache']) rmSync(folder, { recursive: true, force: true })

const service = await bundleService('dist')
const verify = await bundleVerify('dist')
// The hosted pages, which `packages/ui` has built before.
cpSync('../ui/dist', 'dist/pages', { recursive: true })
const filled = fillCodeCache()

const packages = bundledPackages([
  ...[...service, ...verify].flatMap(({ moduleIds = [] }) => moduleIds),
  ...buildApiPage('dist/api-page'),
])
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(packages))
const lockfile = JSON.parse(readFileSync('../../package-lock.json', 'utf8'))
const ofPages = ['dist/pages', 'dist/pages/admin'].flatMap((folder) =>
  packagesOfPages(folder, lockfile),
)
const everything = [...packages, ...ofPages]
writeFileSync(
  'dist/sbom.cdx.json',
  `${JSON.stringify(sbom(manifest, everything, lockfile), null, 2)}\n`,
)

const { entries, groupDocs } = await fromSources({
  'settings/names.ts': 'entries',
  'settings/settings.ts': 'groupDocs',
})
const published = Object.values(manifest.exports).flatMap(({ types }) => types ?? [])
buildTypes(published, entries, groupDocs)
await filled
