import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../../../scripts/release.js', import.meta.url))
const READY = 'Version 1.2.3 is ready'

/** A project in a new repository, ready for version 1.2.3. */
async function newProject() {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-release-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  // The git configuration of this machine must not matter.
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env })
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  const commit = () => {
    git('add', '--all')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--message', 'a change')
  }

  mkdirSync(join(root, 'packages/server'), { recursive: true })
  write('package.json', '{ "version": "1.2.3" }')
  write('packages/server/package.json', '{ "version": "1.2.3" }')
  write('CHANGELOG.md', '# Changelog\n\n## 1.2.3 (2030-01-01)\n')
  git('init', '--initial-branch', 'main')
  commit()

  return {
    git,
    write,
    commit,
    release() {
      const options = { cwd: root, env, encoding: 'utf8' } as const
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [PROGRAM, '--dry-run'],
        options,
      )
      return { status, stdout, stderr }
    },
    tags: () => git('tag', '--list').toString().trim(),
  }
}

test('a project that is ready would be released, and a dry run changes nothing', async () => {
  const { release, tags, git } = await newProject()
  expect(release()).toEqual({ status: 0, stdout: expect.stringContaining(READY), stderr: '' })
  expect(tags()).toBe('')
  expect(git('status', '--porcelain').toString()).toBe('')
})

type Project = Awaited<ReturnType<typeof newProject>>

test.each<[string, (project: Project) => void]>([
  [
    'There are changes that are not committed.\n',
    ({ write }) => write('notes.txt', 'half a thought'),
  ],
  [
    'The branch is feature; releases are made from main.\n',
    ({ git }) => git('checkout', '-b', 'feature'),
  ],
  ['The tag v1.2.3 exists already.\n', ({ git }) => git('tag', 'v1.2.3')],
  [
    'CHANGELOG.md has no section "## 1.2.3".\n',
    ({ write, commit }) => {
      write('CHANGELOG.md', '# Changelog\n\n## 1.2.30\n')
      commit()
    },
  ],
  [
    'CHANGELOG.md still has a section "## Unreleased".\n',
    ({ write, commit }) => {
      write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.2.3\n')
      commit()
    },
  ],
  [
    'package.json has the version 1.2.2, not 1.2.3.\n',
    ({ write, commit }) => {
      write('package.json', '{ "version": "1.2.2" }')
      commit()
    },
  ],
])('refused: %s', async (reason, spoil) => {
  const project = await newProject()
  spoil(project)
  expect(project.release()).toEqual({ status: 1, stdout: '', stderr: reason })
})

test('all reasons are reported together', async () => {
  const { git, write, release } = await newProject()
  git('tag', 'v1.2.3')
  write('CHANGELOG.md', '# Changelog\n')
  expect(release().stderr.trim().split('\n')).toHaveLength(3)
})
