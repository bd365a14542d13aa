// Prints which browser the tests will use, and fails if there is none.
import { findBrowser, NO_BROWSER } from './browser/find-browser.js'

const found = findBrowser()
if (found) {
  process.stdout.write(`Browser for the tests: ${'path' in found ? found.path : 'a package'}\n`)
} else {
  process.stderr.write(`Some tests need a browser, and ${NO_BROWSER}\n`)
  process.exitCode = 1
}
