import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { check, checkAnswer, checkCommand, say } from './report.js'

const PAGE = new URL('../../docs/coming-from-dj-rest-auth.md', import.meta.url)

export const PASSWORD = 'correct horse battery'

/** A project with users, and what they hold in their hands. */
export async function makePeople({ client, project, held }) {
  say('\nA Django project, with users')
  for (const name of ['ada', 'ben', 'cora', 'dan', 'eve', 'gus']) {
    checkAnswer(`${name} registers`, await client.register(name, PASSWORD), 201, 'django')
  }
  Object.assign(held, await project.people())

  const ada = await client.login('ada', PASSWORD)
  held.ada = { ...ada.body, cookies: ada.cookies }
  held.cora = (await client.login('cora', PASSWORD)).body
  const out = await client.post('logout/', { refresh: held.cora.refresh }, held.cora)
  checkAnswer('cora logs out', out, 200, 'django')
  await client.post('password/reset/', { email: 'dan@example.com' })
  held.reset = await project.mailed('dan@example.com', /\/reset\/(\w+)\/([\w-]+)\//)
  held.emailKey = await project.mailed('eve@example.com', /account-confirm-email\/([\w:-]+)\//)
}

/** Step 1: the settings. */
export async function translateSettings({ folder, project, latchkey, proxy }) {
  say('\n1. Settings')
  const [, recipe] = /manage\.py shell -c "\n([^"]*)"\n/.exec(await readFile(PAGE, 'utf8'))
  await project.writeSettings(recipe)
  const args = ['--from-django', 'django-settings.json', '--output', 'latchkey.config.json']
  const made = await latchkey.command(['settings', ...args])
  checkCommand('a config file is made', made, 0, 'Wrote', 'SECRET_KEY: give Latchkey its own key')
  await latchkey.changeConfig({
    SECRET_KEY: 'a key that only Latchkey has, of the walk',
    PUBLIC_URL: proxy.origin,
    EMAIL_URL: `file:${join(folder, 'mails')}`,
  })
  checkCommand('the settings are accepted', await latchkey.command(['settings']), 0)
}

/** Step 2: the dress rehearsal, on copies of both databases. */
export async function rehearse({ project, latchkey, databases, django, importing }) {
  say('\n2. Dress rehearsal')
  const copy = await project.copy()
  const [there, here] = [copy, databases.rehearsal]
  for (const DATABASE_URL of [here, databases.latchkey]) {
    const env = { PATH: process.env.PATH, DATABASE_URL }
    checkCommand('latchkey migrate', await latchkey.command(['migrate'], { env }), 0)
  }
  const tried = await importing(here, ['--dry-run'], there)
  checkCommand('a dry run', tried, 0, 'A dry run: nothing was changed.', '0 could not be')
  checkCommand('an import of the copy', await importing(here, [], there), 0, '0 could not be')
  const rehearsal = await latchkey.serve(here)
  try {
    const bases = [`${django.origin}/auth/`, `${rehearsal.origin}/auth/`]
    const probe = ['--user', 'gus', '--password-stdin']
    const compared = await latchkey.command(['compat-check', ...bases, ...probe], {
      input: PASSWORD,
    })
    checkCommand('compat-check finds no difference that it cannot explain', compared, 0)
  } finally {
    await rehearsal.stop()
  }
}

/** Step 3: the first import, while Django serves; then Latchkey answers what only reads. */
export async function importFirst({ databases, client, held, proxy, importing }) {
  say('\n3. First import, and reads')
  checkCommand('the first import', await importing(databases.latchkey), 0, 'Users imported')
  proxy.follow('reads')
  const { token, ada } = held
  checkAnswer('token key', await client.get('user/', { token }), 200, 'latchkey')
  checkAnswer('access token', await client.get('user/', { access: ada.access }), 200, 'latchkey')
  checkAnswer('session', await client.get('user/', { cookies: ada.cookies }), 200, 'latchkey')
  checkAnswer('nobody', await client.get('user/'), 401, 'django')

  const fresh = await client.login('dan', PASSWORD)
  checkAnswer('a login goes to Django', fresh, 200, 'django')
  const { cookies } = fresh
  checkAnswer(
    'its session is known to Django',
    await client.get('user/', { cookies }),
    200,
    'django',
  )
  await client.post('password/reset/', { email: 'dan@example.com' })
}

/** Step 4: changes on both sides, the last import, and the flip. */
export async function flip({ databases, client, latchkey, held, project, proxy, importing }) {
  say('\n4. Changes on both sides, last import, flip')
  const { body: cora } = await client.login('cora', PASSWORD)
  const changed = await client.changePassword('the second one of cora', cora)
  checkAnswer('cora changes the password', changed, 200, 'django')
  checkAnswer('fay registers', await client.register('fay', PASSWORD), 201, 'django')
  const { body: gus } = await client.login('gus', PASSWORD)
  await client.changePassword('the one of gus at Django', gus)
  const env = { PATH: process.env.PATH, DATABASE_URL: databases.latchkey }
  const set = ['user', 'set-password', 'gus', '--password-stdin']
  await latchkey.command(set, { input: 'the one of gus at Latchkey', env })
  held.late = await project.mailed('dan@example.com', /\/reset\/(\w+)\/([\w-]+)\//)

  proxy.follow('closed')
  checkAnswer('nothing is written now', await client.login('dan', PASSWORD), 503)
  const reading = await client.get('user/', { token: held.token })
  checkAnswer('reading goes on', reading, 200, 'latchkey')
  const last = await importing(databases.latchkey, ['--json'])
  const report = JSON.parse(last.stdout)
  const { added, updated } = report.counts
  const isRight = last.code === 0 && added === 1 && updated >= 1 && report.lost === 0
  check('the last import contains what changed', isRight, last)
  const kept = report.findings.map(({ what }) => what)
  check('what changed on both sides stays here', kept.includes('password'), report.findings)
  proxy.follow('latchkey')
}
