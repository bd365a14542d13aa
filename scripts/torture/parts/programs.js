import { spawnSync } from 'node:child_process'

/** How to get each program that npm does not bring: its package in Debian, and how it says its version. */
export const PROGRAMS = {
  git: { install: 'apt-get install git', version: '--version' },
  gcc: { install: 'apt-get install gcc libc6-dev', version: '--version' },
  haproxy: { install: 'apt-get install haproxy', version: '-v' },
  pgbouncer: { install: 'apt-get install pgbouncer', version: '--version' },
  pg_dump: { install: 'apt-get install postgresql-client', version: '--version' },
}

/** The command and the first line that it says about itself; null if it is not installed. */
export function findProgram(name) {
  const { version } = PROGRAMS[name]
  for (const command of [name, `/usr/sbin/${name}`]) {
    const { status, stdout } = spawnSync(command, [version], { encoding: 'utf8' })
    if (status === 0) return { command, version: stdout.split('\n')[0] }
  }
  return null
}
