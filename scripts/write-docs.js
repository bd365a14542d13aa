// Writes the documents that follow from the code. Run after a build: `npm run build`.
import { writeFile } from 'node:fs/promises'
import { documentSettings } from '../packages/server/dist/settings/document.js'

await writeFile(new URL('../docs/settings.md', import.meta.url), documentSettings())
