// Loads scripts with everything that they import, and stops each before its own first line:
// `node load-only.js <file> …`. Prints what could not be loaded.
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'

const STOP = 'stopped before the first line'

// Imports come first, wherever they stand. So what is written in front runs after them.
const hooks = `export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (!url.endsWith('?load-only')) return loaded
  return { ...loaded, source: ${JSON.stringify(`throw new Error('${STOP}');`)} + loaded.source }
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

for (const file of process.argv.slice(2)) {
  try {
    await import(`${pathToFileURL(file)}?load-only`)
    throw new Error('it was not stopped')
  } catch (error) {
    if (error.message !== STOP) process.stdout.write(`${file}: ${error.message}\n`)
  }
}
