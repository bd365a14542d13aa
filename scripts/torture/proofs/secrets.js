import { setTimeout } from 'node:timers/promises'
import { startDeployment } from '../parts/deployments.js'
import { everyFlow } from '../secrets/flows.js'
import { foundIn, rowsOf, searchFolder } from '../secrets/search.js'

const ROUNDS = { full: 5, small: 1 }
const DEPLOYMENTS = ['SQLite, 1 instance', 'PostgreSQL, 1 instance']

export const secrets = {
  name: 'secrets',
  shows:
    'canaries of every flow are nowhere in clear: files, WAL, rows, logs, metrics, exports, errors',
  needs: [],
  broken: [
    {
      why: 'a session is stored as it is',
      file: 'src/features/sessions/start-logins.ts',
      from: 'await add(userId, how, digest(id), tx)',
      to: 'await add(userId, how, id, tx)',
    },
    {
      why: 'the key of a program is stored as it is',
      file: 'src/features/keys/api-keys.ts',
      from: 'digest: digest(secret),',
      to: 'digest: secret,',
    },
  ],

  async run(options) {
    const { size, say } = options
    const found = []
    let searched = 0
    for (const name of DEPLOYMENTS) {
      const deployment = await startDeployment(name, options, { LOG_LEVEL: 'trace' })
      const byToken = await deployment.beside({ REST_AUTH_USE_JWT: 'false' })
      const invited = await deployment.beside({ ACCOUNT_SIGNUP: 'invited' })
      const parts = { tokenPeople: byToken.people, invited: invited.people }
      for (let round = 1; round <= ROUNDS[size]; round++) {
        const visit = await everyFlow(deployment.people, parts)
        searched += Object.keys(visit.canaries).length
        found.push(...(await everywhere(deployment, visit)).map((one) => `${name}: ${one}`))
        found.push(...(await afterDeletion(deployment, visit)).map((one) => `${name}: ${one}`))
        say(`${name}, round ${round}: ${found.length} found`)
      }
    }
    for (const one of found.slice(0, 30)) say(one)
    return {
      held: found.length === 0,
      figure: `${searched} canaries × ${DEPLOYMENTS.length} databases in files, WAL, rows, logs, metrics, exports and errors: ${found.length === 0 ? 'none in clear, nobody left after deletion' : found.slice(0, 5).join('; ')}`,
      details: { found },
    }
  },
}

/** Texts that the service hands out, and all that it has written. */
async function everywhere(deployment, { canaries, person, access }) {
  const { people, instances, folder, postgres } = deployment
  const found = []
  const texts = {
    metrics: await people.ask('GET', '/metrics'),
    export: await people.ask('GET', 'account/export/', { access }),
    'export by an operator': await people.operateText(`users/${person.pk}/export/`),
    user: await people.operateText(`users/${person.pk}/`),
    audit: await people.operateText('audit/?format=csv'),
    mails: await people.operateText('mails/'),
    ...(await errorsAbout(people, canaries)),
  }
  for (const [name, { text }] of Object.entries(texts)) {
    found.push(...foundIn(Buffer.from(text), canaries).map((canary) => `${name}: ${canary}`))
  }
  const shown = await instances[0].command(['user', 'show', person.username])
  found.push(...foundIn(Buffer.from(shown), canaries).map((canary) => `user show: ${canary}`))
  found.push(...foundIn(await rowsOf(deployment), canaries).map((canary) => `rows: ${canary}`))
  // So that its pages are in the files, too, beside the log that is written ahead.
  await postgres?.query('checkpoint')
  return [...found, ...(await searchFolder(folder, canaries))]
}

/** Refusals of requests with every canary, in every place where it does not belong. */
async function errorsAbout(people, canaries) {
  const answers = {}
  for (const [name, value] of Object.entries(canaries)) {
    const bodies = [{ username: value, password: value }, { refresh: value }, { key: value }]
    const paths = ['login/', 'token/refresh/', 'registration/verify-email/']
    for (const [i, path] of paths.entries()) {
      answers[`${path} with ${name}`] = await people.ask('POST', path, { body: bodies[i] })
    }
    const headers = { authorization: `Token ${value}` }
    answers[`user/ with ${name}`] = await people.ask('GET', 'user/', { headers })
  }
  return answers
}

/** The name and the addresses of a deleted person are in no row any more. */
async function afterDeletion(deployment, { person, access, proof }) {
  const { people } = deployment
  await people.need('POST', 'account/delete/', { body: proof, access })
  while ((await people.waitingMails()) > 0) await setTimeout(100)
  const left = { name: person.username, address: person.email }
  return foundIn(await rowsOf(deployment), left).map((one) => `rows after deletion: ${one}`)
}
