// Records a filled database of this version for the tests of upgrades. Run it once per release.
// `node scripts/record-filled-database.js [folder]`
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fromSources } from './from-sources.js'

const fixtures = fileURLToPath(new URL('../packages/server/test/fixtures', import.meta.url))
const [folder = fixtures] = process.argv.slice(2)
const { recorded } = await fromSources({ '../test/fixtures/record-filled-database.ts': 'recorded' })
const file = join(folder, `filled-${recorded.version}.json`)
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
