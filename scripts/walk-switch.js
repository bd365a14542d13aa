// Walks through docs/coming-from-django.md with a real Django project: `npm run switch`. Needs a build, and
// a Python with Django, dj-rest-auth and what belongs to them (it says which). Runs once with SQLite on
// both sides and once with PostgreSQL, on loopback only, for about two minutes.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder } from './in-folder.js'
import { liveHere, tryCredentials } from './switch/after.js'
import { flipAgain, goBack } from './switch/back.js'
import { flip, importFirst, makePeople, rehearse, translateSettings } from './switch/before.js'
import { frontEnd } from './switch/front-end.js'
import { latchkeyIn } from './switch/latchkey.js'
import { findPython, newProject } from './switch/project.js'
import { startProxy } from './switch/proxy.js'
import { isWell, say } from './switch/report.js'
import { startPostgres } from './torture/parts/postgres.js'

const wanted = process.argv.slice(2)
const engines = ['sqlite', 'postgres'].filter((one) => wanted.length === 0 || wanted.includes(one))

const { python, versions, missing } = await findPython()
if (missing) {
  process.stderr.write(`${missing}\n`)
  process.exit(2)
}
say(versions)
for (const engine of engines) await inFolder((folder, atTheEnd) => walk(engine, folder, atTheEnd))
if (!isWell()) process.exitCode = 1

async function walk(engine, folder, atTheEnd) {
  say(`\n${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} on both sides`)
  const ending = async (service) => {
    const started = await service
    atTheEnd(started.stop)
    return started
  }
  await mkdir(join(folder, 'mails'))
  const postgres = engine === 'postgres' ? await ending(startPostgres(folder)) : null
  await postgres?.query('create database rehearsal')
  const urlOf = (name) =>
    postgres
      ? postgres.urlAt(postgres.port).replace(/latchkey$/, name)
      : `sqlite:${join(folder, `${name}.db`)}`
  const databases = { latchkey: urlOf('latchkey'), rehearsal: urlOf('rehearsal') }

  const project = await newProject(python, folder, postgres)
  const django = await ending(project.serve())
  const proxy = await ending(startProxy())
  proxy.connect({ django: django.origin })
  const latchkey = latchkeyIn(folder)
  const importing = (DATABASE_URL, more = [], source = project.database) =>
    latchkey.command(['import', 'django', source, '--settings', 'django-settings.json', ...more], {
      env: { PATH: process.env.PATH, DATABASE_URL },
    })
  const client = frontEnd(proxy.origin)
  const all = { folder, project, django, proxy, latchkey, databases, importing, client, held: {} }

  await makePeople(all)
  await translateSettings(all)
  await rehearse(all)
  const service = await ending(latchkey.serve(databases.latchkey))
  proxy.connect({ latchkey: service.origin })
  await importFirst(all)
  await flip(all)
  await tryCredentials(all)
  await liveHere(all)
  await goBack(all)
  await flipAgain(all)
}
