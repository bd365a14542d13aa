import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** A folder for this run. It is empty until a test needs a browser. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-browser-'))
  project.provide('browserFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}
