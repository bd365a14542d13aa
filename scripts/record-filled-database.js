// Records a filled database of this version for the tests of upgrades. Run it once per release.
import { writeFileSync } from 'node:fs'
import { loadSource } from './load-source.js'

const { recorded } = await loadSource('../test/fixtures/record-filled-database.ts')
const file = `../packages/server/test/fixtures/filled-${recorded.version}.json`
writeFileSync(new URL(file, import.meta.url), `${JSON.stringify(recorded, null, 2)}\n`)
