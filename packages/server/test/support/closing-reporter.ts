import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

const NO_REASON = 'its condition is not met here'

/** Names at the very end every test that did not run, and every test that failed at first. */
export function closingReporter(): Reporter {
  let vitest: Vitest | undefined
  return {
    onInit(started) {
      vitest = started
    },
    onTestRunEnd(modules) {
      const outcomes = modules.flatMap(testsOf)
      const lines = [
        // With a filter of names, all other tests are left out on purpose.
        ...(vitest?.getGlobalTestNamePattern() ? [] : skippedLines(outcomes)),
        ...flakyLines(outcomes),
      ]
      if (lines.length === 0) return
      // After the summary and all other reporters.
      process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`))
    },
  }
}

type Outcome = {
  name: string
  /** Where it ran, such as `sqlite` or `postgres`. */
  project?: string
  state: string
  /** Why it was skipped. */
  reason?: string | undefined
  /** The error of the first attempt, if the second one passed. */
  firstError?: string | undefined
}

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

/** A test that passes only at the second attempt has a bug, or has found one. */
export function flakyLines(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter(({ firstError }) => firstError !== undefined)
    .map(({ name, project, firstError }) => `flaky: ${name} (${project}): ${firstError}`)
}

function testsOf(module: TestModule): Outcome[] {
  const file = relative(process.cwd(), module.moduleId)
  const project = module.project.name
  return [...module.children.allTests()].map((test: TestCase) => {
    const name = `${file} > ${test.fullName}`
    const { state, ...result } = test.result()
    const reason = 'note' in result ? result.note : undefined
    const firstError = test.diagnostic()?.flaky
      ? (result.errors?.[0]?.message.split('\n', 1)[0] ?? 'no message')
      : undefined
    return { name, project, state, reason, firstError }
  })
}
