// Runs as a test file: the tests of an area, first to see which of them reach which mutants, then each
// test again for every mutant that it reaches and that no test has noticed yet.
import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, inject, onTestFinished } from 'vitest'
import { IS_AWAKE, IS_MAKING, ROUND, ROUND_OF_SERVERS } from './find-mutants.js'

const { tests, tries, ofServers, output } = inject('mutants')
const tell = (line) => appendFileSync(output, `${JSON.stringify(line)}\n`)

const ASLEEP = 0
let awake = ASLEEP
let seen = new Set()
let seenMaking = new Set()
globalThis[IS_AWAKE] = (id) => {
  seen.add(id)
  if (globalThis[IS_MAKING]) seenMaking.add(id)
  return id === awake
}
Object.assign(globalThis, { [ROUND]: '', [ROUND_OF_SERVERS]: '', [IS_MAKING]: false })

/** The name of a test within its file. */
function nameOf(task, file) {
  const names = []
  for (let one = task; one && one.name !== file; one = one.suite) names.unshift(one.name)
  return names.join(' > ')
}

// Without this line, a mutant has ended the process.
afterAll(() => tell({ isOver: true }))

const hasFailed = ({ result }) => result.state === 'fail'

if (tries === null) for (const file of tests) describe(file, () => look(file))
else for (const file of Object.keys(tries)) describe(file, () => tryAll(file))

/** Tells which mutants each test of the file reaches, and whether it passes without any. */
async function look(file) {
  beforeEach(({ task }) => {
    seen = new Set()
    seenMaking = new Set()
    globalThis[ROUND] = task.id
    globalThis[ROUND_OF_SERVERS] = task.id
    const begun = performance.now()
    onTestFinished(() => {
      const test = nameOf(task, file)
      const took = performance.now() - begun
      const reaches = [...seen]
      tell({ file, test, took, failed: hasFailed(task), reaches, ofServers: [...seenMaking] })
    })
  })
  await import(file)
}

const noticed = new Set()

/**
 * Repeats each test of the file, with one mutant after the other. If the test fails, it runs once more
 * without any mutant, and only if it passes then, it has noticed the mutant. Otherwise a mutant
 * has spoilt what the tests of the file share.
 */
async function tryAll(file) {
  const plans = new Map()
  // biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern here.
  beforeAll(({}, suite) => prepare(suite))
  beforeEach(({ task, skip }) => {
    const plan = plans.get(task)
    task.result.state = 'run'
    task.result.errors = undefined
    const { suspect } = plan
    plan.left = plan.left.filter((id) => !noticed.has(id))
    awake = suspect ? ASLEEP : (plan.left.shift() ?? ASLEEP)
    skip(!suspect && awake === ASLEEP)
    globalThis[ROUND] = awake
    globalThis[ROUND_OF_SERVERS] = ofServers.includes(awake) ? awake : ASLEEP
    if (awake) tell({ tried: awake })
    onTestFinished(() => {
      const reason = task.result.errors?.[0]?.message?.split('\n')[0]
      if (!suspect) plan.suspect = hasFailed(task) ? { id: awake, reason } : null
      else if (hasFailed(task)) spoil(plan)
      else accept(plan)
      awake = ASLEEP
    })
  })
  await import(file)

  function prepare(suite) {
    for (const task of suite.tasks) {
      if (task.type === 'suite') prepare(task)
      else {
        const test = nameOf(task, file)
        const left = tries[file][test] ?? []
        plans.set(task, { test, left, suspect: null })
        // Each mutant, and the run without one that may follow.
        task.repeats = 2 * left.length
      }
    }
  }

  function accept(plan) {
    const { id, reason } = plan.suspect
    noticed.add(id)
    tell({ noticed: id, by: `${file}: ${plan.test}: ${reason}` })
    plan.suspect = null
  }

  function spoil(plan) {
    tell({ spoilt: `${file}: ${plan.test}` })
    plan.left = []
    plan.suspect = null
  }
}
