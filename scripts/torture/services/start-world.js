import { databases } from '../parts/both-databases.js'
import { startHttpServer } from '../parts/http-server.js'
import { startIdentityProvider } from '../parts/identity-provider.js'
import { startMailbox } from '../parts/mailbox.js'
import { settingsFor, startReceiver } from '../parts/receiver.js'
import { startService } from '../parts/service.js'
import { startFaultyFront } from './faulty-front.js'

const answer = (status, body = '') =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nlocation: /\r\ncontent-length: ${body.length}\r\n\r\n${body}`

/** Of all services that can fail. The lies are such that believing them would lose or forge something. */
const FRONTS = {
  // A client says hello, and names the sender and the receiver, before it sends the mail.
  mail: { lie: '250 yours is the best mail of all\r\n', greets: 300 },
  receiver: { lie: answer('302 Found') },
  provider: {
    lie: answer(
      '200 OK',
      '{"issuer":"https://elsewhere.example","keys":[],"token_type":"Bearer","access_token":"a","id_token":"e30.eyJzdWIiOiJldmUifQ.AAAA"}',
    ),
  },
  captcha: { lie: answer('200 OK', '{"success":"true"}') },
}

const UNLIMITED = { signup: 'none', social: 'none', reset_mail: 'none' }

/** The service, and everything that it uses behind fronts that can fail; of two receivers only one can. */
export async function startWorld({ folder, server, atTheEnd }) {
  const end = (part) => {
    atTheEnd(part.stop)
    return part
  }
  const fronts = {}
  for (const [name, manner] of Object.entries(FRONTS)) {
    fronts[name] = end(await startFaultyFront(manner))
  }
  const mail = end(await startMailbox())
  const receiver = end(await startReceiver())
  const steadyReceiver = end(await startReceiver())
  const provider = end(await startIdentityProvider({ url: fronts.provider.url }))
  const captcha = end(await startCaptcha())
  const behind = { mail, receiver, provider, captcha }
  for (const [name, { port }] of Object.entries(behind)) fronts[name].targetPort = port

  const settings = {
    ...settingsFor([`${fronts.receiver.url}/`, `http://127.0.0.1:${steadyReceiver.port}/`]),
    EMAIL_URL: `smtp://127.0.0.1:${fronts.mail.port}`,
    SOCIALACCOUNT_PROVIDERS: provider.setting,
    CAPTCHA_PROVIDER: 'turnstile',
    CAPTCHA_SITE_KEY: 'site',
    CAPTCHA_SECRET: 'secret',
    CAPTCHA_ON: 'registration',
    CAPTCHA_VERIFY_URL: `${fronts.captcha.url}/`,
    ACCOUNT_RATE_LIMITS: JSON.stringify(UNLIMITED),
  }
  const { url } = await databases.sqlite(folder)
  const service = end(await startService(folder, url, settings, { server }))
  await service.createUser('grace', '--email', 'grace@example.com', '--verified')
  return { fronts, mail, receiver, steadyReceiver, provider, service, people: [] }
}

/** Everybody has solved it. */
const startCaptcha = () =>
  startHttpServer((request, response) => {
    request.resume().on('end', () => response.end('{"success":true}'))
  })
