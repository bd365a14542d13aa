import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.js'
import { run } from '../run-program.js'
import { start } from './start.js'

const here = fileURLToPath(new URL('project/', import.meta.url))

const PACKAGES = {
  django: 'Django',
  rest_framework: 'djangorestframework',
  rest_framework_simplejwt: 'djangorestframework-simplejwt',
  allauth: 'django-allauth[mfa,socialaccount]',
  dj_rest_auth: 'dj-rest-auth',
  argon2: 'argon2-cffi',
  psycopg: 'psycopg[binary]',
}

/** A Python that has what the project needs, or a sentence that says what is missing. */
export async function findPython() {
  const python = process.env.PYTHON ?? 'python3'
  const ask = `import importlib.util as u; print([n for n in ${JSON.stringify(Object.keys(PACKAGES))} if not u.find_spec(n)])`
  const { code, stdout } = await run(python, ['-c', ask]).catch(() => ({ code: 1, stdout: '' }))
  if (code !== 0) return { missing: `There is no ${python}. PYTHON names another.` }
  const missing = JSON.parse(stdout.replaceAll("'", '"'))
  if (missing.length === 0) return { python, versions: await versionsOf(python) }
  const names = missing.map((name) => `'${PACKAGES[name]}'`).join(' ')
  return {
    missing: `${python} lacks packages. Make an environment with them, and name it in PYTHON:\n  python3 -m venv env && env/bin/pip install ${names}\n  PYTHON=$PWD/env/bin/python npm run switch`,
  }
}

async function versionsOf(python) {
  const ask = `
import importlib.metadata as m
for n in ${JSON.stringify(Object.values(PACKAGES).map((name) => name.split('[')[0]))}:
    try: print(n, m.version(n))
    except m.PackageNotFoundError: print(n, '(version unknown)')`
  const { stdout } = await run(python, ['-c', ask])
  return stdout.trim().split('\n').join(', ')
}

/** The Django project, in a folder of its own; on PostgreSQL if there is one. */
export async function newProject(python, folder, postgres) {
  const base = join(folder, 'django')
  await mkdir(join(base, 'mails'), { recursive: true })
  const env = {
    ...process.env,
    PROJECT_FOLDER: base,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONWARNINGS: 'ignore',
    ...(postgres && { PROJECT_POSTGRES_PORT: String(postgres.port) }),
  }
  const pythonIn = async (cwd, ...args) => {
    const done = await run(python, args, { cwd, env, timeout: 120_000 })
    if (done.code !== 0) throw new Error(`${args.join(' ')}: ${done.stderr}`)
    return done.stdout
  }
  await postgres?.query('create database project')
  await pythonIn(here, 'manage.py', 'migrate', '-v', '0')
  const urlOf = (name) =>
    postgres
      ? postgres.urlAt(postgres.port).replace(/latchkey$/, name)
      : `sqlite:${join(base, name === 'project' ? 'db.sqlite3' : `${name}.sqlite3`)}`

  return {
    database: urlOf('project'),

    /** As an operator restores a backup. */
    async copy() {
      if (postgres) await postgres.query('create database copy template project')
      else await copyFile(join(base, 'db.sqlite3'), join(base, 'copy.sqlite3'))
      return urlOf('copy')
    },

    people: async () => JSON.parse(await pythonIn(here, 'people.py')),

    /** The recipe of the page writes a file with secrets to the current folder, which must not be the checkout. */
    writeSettings: (recipe) => pythonIn(folder, join(here, 'manage.py'), 'shell', '-c', recipe),

    async serve() {
      const at = `127.0.0.1:${await freePort()}`
      const options = { cwd: here, env, stdio: 'ignore', url: `http://${at}/auth/user/` }
      const stop = await start(python, ['manage.py', 'runserver', '--noreload', at], options)
      return { origin: `http://${at}`, stop }
    },

    /** What stands behind a link in the newest mail to that address. */
    async mailed(address, pattern) {
      const names = await readdir(join(base, 'mails'))
      // A name begins with the time.
      for (const name of names.toSorted().toReversed()) {
        const mail = await readFile(join(base, 'mails', name), 'utf8')
        const found = mail.includes(`To: ${address}`) && pattern.exec(mail)
        if (found) return found.slice(1)
      }
      throw new Error(`Django has sent no such mail to ${address}.`)
    },
  }
}
