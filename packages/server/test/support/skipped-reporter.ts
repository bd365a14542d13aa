import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

const NO_REASON = 'its condition is not met here'

/** Names every test that did not run at the very end, with the reason. */
export function skippedReporter(): Reporter {
  let vitest: Vitest | undefined
  return {
    onInit(started) {
      vitest = started
    },
    onTestRunEnd(modules) {
      // With a filter of names, all other tests are left out on purpose.
      if (vitest?.getGlobalTestNamePattern()) return
      const lines = skippedLines(modules.flatMap(testsOf))
      if (lines.length === 0) return
      // After the summary and all other reporters.
      process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`))
    },
  }
}

type Outcome = { name: string; state: string; reason?: string | undefined }

/**
 * Most tests run on two databases, and some are about one of them. A test that ran anywhere counts as
 * run.
 */
export function skippedLines(outcomes: readonly Outcome[]): string[] {
  const ran = new Set(outcomes.filter((one) => one.state !== 'skipped').map((one) => one.name))
  const skipped = new Map(
    outcomes.filter(({ name }) => !ran.has(name)).map(({ name, reason }) => [name, reason]),
  )
  if (skipped.size === 0) return []
  const tests = skipped.size === 1 ? '1 test was' : `${skipped.size} tests were`
  const named = [...skipped].map(([name, reason]) => `  ${name}: ${reason ?? NO_REASON}`)
  return [`${tests} skipped:`, ...named]
}

function testsOf(module: TestModule): Outcome[] {
  const file = relative(process.cwd(), module.moduleId)
  return [...module.children.allTests()].map((test: TestCase) => {
    const result = test.result()
    const reason = result.state === 'skipped' ? result.note : undefined
    return { name: `${file} > ${test.fullName}`, state: result.state, reason }
  })
}
