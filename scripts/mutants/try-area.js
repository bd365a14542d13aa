import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder } from '../in-folder.js'
import { withMutants } from './find-mutants.js'
import { ROOT, runVitest } from './run-vitest.js'

/**
 * Tries every mutant of an area but those that an earlier run has noticed (`before`). `noticedBy` is null if
 * no test fails.
 * @returns {Promise<(import('./find-mutants.js').Mutant & { file: string, noticedBy: string | null })[]>}
 */
export function tryArea({ sources, tests }, before, progress) {
  return inFolder(async (folder) => {
    const mutants = mutantsOf(sources)
    const plan = { root: ROOT, sources: mutants.sources, tests: tests.flatMap(filesOf) }
    const { lines: looked } = await runVitest(folder, { ...plan, tries: null }, (lines) =>
      progress(`${lines.length} tests have run without mutants`),
    )
    refuseFailures(looked)
    // Other mutants need no server of their own.
    const ofServers = [...new Set(looked.flatMap((one) => one.ofServers))]
    const run = (tries, heard) => runVitest(folder, { ...plan, tries, ofServers }, heard)
    const noticedBy = await tryEach(mutants.all, before, reachesOf(looked), run, progress)
    return mutants.all.map((one) => ({ ...one, noticedBy: noticedBy.get(one.id) ?? null }))
  })
}

/** How many tests of each file try a mutant: first a few, which notice most mutants, then all. */
const ROUNDS = [2, Number.POSITIVE_INFINITY]

/** Returns by which test each mutant was noticed. */
async function tryEach(mutants, before, reaches, run, progress) {
  const noticedBy = new Map(
    mutants.map((one) => [one.id, noticedIn(before, one)]).filter(([, by]) => by),
  )
  const heard = (lines) => {
    const count = noticedBy.size + lines.filter((one) => one.noticed).length
    progress(`${count} of ${mutants.length} mutants noticed`)
  }
  for (const most of ROUNDS) while (await isUnfinished(most));
  return noticedBy

  /** True after a mutant that stops the tests for good, or that spoils what later tests share. */
  async function isUnfinished(most) {
    const count = noticedBy.size
    const left = mutants.filter(({ id }) => !noticedBy.has(id))
    const tries = triesOf(left, reaches, most)
    if (Object.keys(tries).length === 0) return false
    const { lines, isAtItsEnd } = await run(tries, heard)
    if (lines.length === 0) throw new Error('No mutant could be tried.')
    for (const { noticed, by } of lines) if (noticed) noticedBy.set(noticed, by)
    const stuck = lines.at(-1)?.tried
    if (stuck && !isAtItsEnd) noticedBy.set(stuck, 'nothing went on any more')
    const isSpoilt = lines.some((one) => one.spoilt)
    return noticedBy.size > count && (isSpoilt || !isAtItsEnd)
  }
}

function noticedIn(verdicts, { file, line, was, is }) {
  const isSame = (one) => one.file === file && one.line === line && one.was === was && one.is === is
  return verdicts.find(isSame)?.noticedBy
}

function refuseFailures(looked) {
  const failed = looked.filter((one) => one.failed).map((one) => `\n  ${one.file}: ${one.test}`)
  if (looked.length === 0) throw new Error('No test has run.')
  if (failed.length > 0) throw new Error(`These tests fail without any mutant:${failed.join('')}`)
}

function mutantsOf(files) {
  const all = []
  const sources = files.map((file) => {
    const path = `${ROOT}/packages/server/src/${file}`
    const firstId = all.length + 1
    const { mutants } = withMutants(readFileSync(path, 'utf8'), firstId)
    all.push(...mutants.map((one) => ({ ...one, file })))
    return { path, firstId }
  })
  return { all, sources }
}

/** `product/mfa/*` is a whole folder. */
function filesOf(test) {
  const path = `${ROOT}/packages/server/test/${test}`
  if (!test.endsWith('/*')) return [`${path}.test.ts`]
  const folder = path.slice(0, -2)
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return names.map((name) => join(folder, name))
}

/** For each file and mutant: the tests that reach it, the quickest first. */
function reachesOf(looked) {
  const byFile = {}
  for (const { file, test, reaches } of looked.toSorted((a, b) => a.took - b.took)) {
    byFile[file] ??= {}
    for (const id of reaches) {
      byFile[file][id] ??= new Set()
      byFile[file][id].add(test)
    }
  }
  return byFile
}

/** For each file and test: the mutants that it tries. */
function triesOf(mutants, reaches, most) {
  const tries = {}
  for (const [file, testsOf] of Object.entries(reaches)) {
    for (const { id } of mutants) {
      for (const test of [...(testsOf[id] ?? [])].slice(0, most)) {
        tries[file] ??= {}
        tries[file][test] ??= []
        tries[file][test].push(id)
      }
    }
  }
  return tries
}
