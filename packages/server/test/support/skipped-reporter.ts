import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { NO_BROWSER } from '../../../../scripts/browser/find-browser.js'

/** Prints as the last line that tests were skipped without a browser, and what to install. */
export const skippedForWantOfABrowser: Reporter = {
  onTestRunEnd(modules) {
    const count = modules.flatMap(testsWithoutBrowser).length
    if (count === 0) return
    // At the very end, after the summary and all other reporters.
    process.once('exit', () => {
      process.stdout.write(`${count} tests were skipped, because ${NO_BROWSER}\n`)
    })
  },
}

function testsWithoutBrowser({ children }: TestModule): TestCase[] {
  return [...children.allTests('skipped')].filter((test) => {
    const result = test.result()
    return result.state === 'skipped' && result.note === NO_BROWSER
  })
}
