import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Loaded where they are used, and not bundled. */
const NATIVE = /^(@node-rs\/argon2|bcrypt|libsql|pg-native)$/

/** The last commit of each version. */
export const RELEASES = { '0.1.0': '6cb3608', '0.2.0': 'fa30183' }

/** Builds a released version from the history of the repository. Returns the path of its `bin/latchkey.js`. */
export async function buildRelease(version, folder) {
  const own = join(folder, `release-${version}`)
  await mkdir(own)
  const files = ['bin', 'src', 'package.json'].map((name) => `packages/server/${name}`)
  const archive = execFileSync('git', ['archive', RELEASES[version], ...files], {
    cwd: root,
    maxBuffer: 2 ** 28,
  })
  execFileSync('tar', ['--extract', '--directory', own, '--strip-components=2'], { input: archive })
  await symlink(join(root, 'node_modules'), join(own, 'node_modules'))
  await build({
    input: join(own, 'src/main.ts'),
    platform: 'node',
    external: NATIVE,
    // Of 0.1.0, for hashes of imported users. It is not installed any more.
    resolve: { alias: { '@node-rs/bcrypt': false } },
    output: { dir: join(own, 'dist'), format: 'esm' },
    logLevel: 'silent',
  })
  return join(own, 'bin/latchkey.js')
}

/** What makes a later version out of this one: a migration that changes the tables of every request. */
export const LATER = {
  why: 'a later version has one more migration',
  file: 'src/storage/migrations/all.ts',
  from: ',\n]',
  to: `,
  {
    name: '9999-later',
    async up({ schema }) {
      for (const table of ['users', 'logins', 'tokens', 'limits', 'audit_events', 'outbox']) {
        await schema.alterTable(table).addColumn('later', 'text').execute()
      }
      await schema.createTable('later').addColumn('id', 'integer').execute()
      await schema.createIndex('users_by_later').on('users').column('later').execute()
    },
  },
]`,
}
