import { PASSWORD } from './before.js'
import { check, checkAnswer, checkCommand, say } from './report.js'

/** The way back: Django serves again, and knows what has changed at Latchkey. */
export async function goBack({ client, latchkey, databases, project, proxy, held }) {
  say('\n7. The way back')
  proxy.follow('closed')
  const env = { PATH: process.env.PATH, DATABASE_URL: databases.latchkey }
  const exporting = (...more) =>
    latchkey.command(
      ['export', 'django', project.database, '--settings', 'django-settings.json', ...more],
      { env },
    )
  checkCommand('a dry run', await exporting('--dry-run'), 0, 'A dry run: nothing was changed.')
  const { code, stdout } = await exporting('--json')
  const { counts } = JSON.parse(stdout)
  const isRight = code === 0 && counts.added === 1 && counts.password >= 2 && counts.addresses >= 1
  check('the export writes new users, passwords and addresses', isRight, stdout)
  proxy.follow('django')

  const login = (name, password) => client.login(name, password)
  checkAnswer('ada, new password', await login('ada', 'ada at Latchkey'), 200, 'django')
  checkAnswer('ada, former password', await login('ada', PASSWORD), 400, 'django')
  checkAnswer('dan, after the reset', await login('dan', 'dan has reset it'), 200, 'django')
  checkAnswer('hal, who came at Latchkey', await login('hal', PASSWORD), 200, 'django')
  checkAnswer('hal by address', await login('hal@example.com', PASSWORD), 200, 'django')
  checkAnswer('eve, new address', await login('eve@new.example.com', PASSWORD), 200, 'django')
  checkAnswer('eve, former address', await login('eve@example.com', PASSWORD), 400, 'django')
  checkAnswer('cora, as before', await login('cora', 'the second one of cora'), 200, 'django')
  const { token } = held
  checkAnswer('token key', await client.get('user/', { token }), 200, 'django')

  const ida = await client.register('ida', PASSWORD)
  checkAnswer('ida registers at Django', ida, 201, 'django')
  check('with a pk of her own', ida.body.user.pk !== held.hal, ida.body)
}

/** And forward once more. */
export async function flipAgain({ client, databases, proxy, held, importing }) {
  say('\n8. Forward again')
  proxy.follow('closed')
  const { code, stdout } = await importing(databases.latchkey, ['--json'])
  const { counts, lost } = JSON.parse(stdout)
  check('an import adds ida', code === 0 && counts.added === 1 && lost === 0, stdout)
  proxy.follow('latchkey')
  checkAnswer('ada', await client.login('ada', 'ada at Latchkey'), 200, 'latchkey')
  checkAnswer('hal', await client.login('hal', PASSWORD), 200, 'latchkey')
  checkAnswer('ida', await client.login('ida', PASSWORD), 200, 'latchkey')
  const kai = await client.register('kai', PASSWORD)
  checkAnswer('kai registers at Latchkey', kai, 201, 'latchkey')
  check('with a pk of her own', kai.body.user?.pk > held.hal, kai.body)
}
