import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const BRANCH = 'main'

const versionIn = (file) => JSON.parse(readFileSync(file, 'utf8')).version

export const versionOf = (root) => versionIn(join(root, 'packages/server/package.json'))

/** All reasons why this checkout cannot be released, one sentence each. */
export function reasonsToRefuse(root) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const version = versionOf(root)
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD')
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  return [
    git('status', '--porcelain') !== '' && 'There are changes that are not committed.',
    branch !== BRANCH && `The branch is ${branch}; releases are made from ${BRANCH}.`,
    git('tag', '--list', `v${version}`) !== '' && `The tag v${version} exists already.`,
    !hasSection(changelog, version) && `CHANGELOG.md has no section "## ${version}".`,
    hasSection(changelog, 'Unreleased') && 'CHANGELOG.md still has a section "## Unreleased".',
    ...otherVersions(root, version),
  ].filter((reason) => reason !== false)
}

const hasSection = (changelog, name) =>
  changelog.split('\n').some((line) => line === `## ${name}` || line.startsWith(`## ${name} `))

function otherVersions(root, version) {
  const folders = readdirSync(join(root, 'packages')).map((name) => join('packages', name))
  return ['.', ...folders]
    .map((folder) => join(folder, 'package.json'))
    .filter((file) => existsSync(join(root, file)))
    .filter((file) => versionIn(join(root, file)) !== version)
    .map((file) => `${file} has the version ${versionIn(join(root, file))}, not ${version}.`)
}
