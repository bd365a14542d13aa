import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withMutants } from './find-mutants.js'
import { ROOT, runVitest } from './run-vitest.js'

/**
 * Tries every mutant of an area. `noticedBy` is null if no test fails.
 * @returns {Promise<(import('./find-mutants.js').Mutant & { file: string, noticedBy: string | null })[]>}
 */
export async function tryArea({ sources, tests }, progress) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-mutants-'))
  try {
    const mutants = mutantsOf(sources)
    const plan = { root: ROOT, sources: mutants.sources, tests: tests.flatMap(filesOf) }
    const run = (tries, heard) => runVitest(folder, { ...plan, tries }, heard)

    const { lines: looked } = await run(null, (lines) =>
      progress(`${lines.length} tests have run without mutants`),
    )
    refuseFailures(looked)
    const reaches = reachesOf(looked)
    const noticedBy = await tryEach(mutants.all, reaches, run, progress)
    return mutants.all.map((one) => ({ ...one, noticedBy: noticedBy.get(one.id) ?? null }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Starts again after a mutant that stops the tests for good, and after one that has spoilt what tests
 * share. Returns by which test each mutant was noticed.
 */
async function tryEach(mutants, reaches, run, progress) {
  const noticedBy = new Map()
  for (;;) {
    const before = noticedBy.size
    const left = mutants.filter(({ id }) => !noticedBy.has(id))
    const heard = (lines) =>
      progress(`${before + lines.filter((one) => one.noticed).length} of ${mutants.length} noticed`)
    const { lines, isAtItsEnd } = await run(triesOf(left, reaches), heard)
    if (lines.length === 0) throw new Error('No mutant could be tried.')
    for (const { noticed, by } of lines) if (noticed) noticedBy.set(noticed, by)
    const stuck = lines.at(-1)?.tried
    if (stuck && !isAtItsEnd) noticedBy.set(stuck, 'nothing went on any more')
    const isSpoilt = lines.some((one) => one.spoilt)
    if (noticedBy.size === before || (isAtItsEnd && !isSpoilt)) return noticedBy
  }
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

/** For each file and test: the mutants that it reaches. */
function reachesOf(looked) {
  const byFile = {}
  for (const { file, test, reaches } of looked) {
    byFile[file] ??= {}
    byFile[file][test] = [...new Set([...(byFile[file][test] ?? []), ...reaches])]
  }
  return byFile
}

/** The same with these mutants only. */
function triesOf(mutants, reaches) {
  const ids = new Set(mutants.map(({ id }) => id))
  const ofFile = (byTest) =>
    Object.fromEntries(
      Object.entries(byTest).map(([test, reached]) => [test, reached.filter((id) => ids.has(id))]),
    )
  return Object.fromEntries(Object.entries(reaches).map(([file, byTest]) => [file, ofFile(byTest)]))
}
