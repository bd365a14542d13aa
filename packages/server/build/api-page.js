import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, parse } from 'node:path'

const OWN = join(import.meta.dirname, 'api-page')
const require = createRequire(import.meta.url)
const VIEWER = [
  require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  require.resolve('swagger-ui-dist/swagger-ui.css'),
]

/**
 * Puts together what the page of the API loads: the viewer, then our own script and style. Returns
 * the files of the viewer, whose licence must be kept.
 */
export function buildApiPage(to) {
  const own = [join(OWN, 'start.js'), join(OWN, 'style.css')]
  mkdirSync(join(to, 'assets'), { recursive: true })
  const names = [...VIEWER, ...own].map((file) => copyHashed(file, join(to, 'assets')))
  const manifest = {
    scripts: names.filter((name) => name.endsWith('.js')),
    styles: names.filter((name) => name.endsWith('.css')),
  }
  writeFileSync(join(to, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return VIEWER
}

/** The new name changes with the content. The maps of the viewer stay behind. */
function copyHashed(file, folder) {
  const text = readFileSync(file, 'utf8').replace(/\n?(\/\/#|\/\*#) sourceMappingURL=.*\n?$/, '\n')
  const { name, ext } = parse(file)
  const hashed = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 10)}${ext}`
  writeFileSync(join(folder, hashed), text)
  return hashed
}
