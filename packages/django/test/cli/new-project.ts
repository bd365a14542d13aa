import { join } from 'node:path'
import Sqlite from 'libsql'
import { newCli } from '../../../server/test/cli/support/cli.ts'
import { projectSql, vectors } from '../support/django-project.ts'

/** A Django project on SQLite, and the commands in its folder. */
export async function newProject() {
  const cli = await newCli()
  const file = join(cli.cwd, 'db.sqlite3')
  const db = new Sqlite(file)
  db.exec(projectSql)
  const settings = JSON.stringify({ SECRET_KEY: vectors.secretKey })
  const importing = (...more: string[]) =>
    cli.run(['import', 'django', 'sqlite:db.sqlite3', '--settings', settings, ...more])
  const exporting = (...more: string[]) =>
    cli.run(['export', 'django', 'sqlite:db.sqlite3', ...more])
  const rowOf = (username: string) =>
    db.prepare('select * from auth_user where username = ?').get(username)
  return { ...cli, db, importing, exporting, rowOf }
}
