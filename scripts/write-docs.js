// Writes the documents that are generated from the code. Run after a build: `npm run docs`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contractTypes } from '../packages/client/build/contract-types.js'
import { exportsPage } from '../packages/server/build/exports-page.js'
import { publishedTypes } from '../packages/server/build/published-types.js'
import { fromSources } from './from-sources.js'

const { documentProblems, documentSettings } = await fromSources({
  '../../../scripts/docs/document-problems.ts': 'documentProblems',
  '../../../scripts/docs/document-settings.ts': 'documentSettings',
})
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

writeFileSync(here('../docs/settings.md'), documentSettings())
writeFileSync(here('../docs/exports.md'), exportsPage(publishedTypes()))

// Everything is switched on, so that the document shows all endpoints.
const latchkey = here('../packages/server/bin/latchkey.js')
const openapi = [latchkey, 'openapi', '--config', here('./openapi.config.json')]
const document = execFileSync(process.execPath, openapi, { encoding: 'utf8' })
writeFileSync(here('../openapi.json'), document)
const admin = execFileSync(process.execPath, [...openapi, '--admin'], { encoding: 'utf8' })
writeFileSync(here('../openapi-admin.json'), admin)
writeFileSync(here('../docs/errors.md'), documentProblems(JSON.parse(document)))
writeFileSync(here('../packages/client/src/contract.ts'), contractTypes(JSON.parse(document)))
