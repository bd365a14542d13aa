import { setTimeout } from 'node:timers/promises'
import { answered, mailed } from '../limits/cases.js'
import { countStatuses } from '../parts/client.js'
import { startDeployment } from '../parts/deployments.js'

const LIMIT = 5
const SIZES = { full: 200, small: 40 }
const DEPLOYMENTS = ['PostgreSQL, 3 instances', 'SQLite, 2 workers']
const FIVE = `${LIMIT}/h`
const MAIL_LIMITS = `${FIVE}/key,${FIVE}/ip`
const SETTINGS = {
  ACCOUNT_SIGNUP: 'invited',
  INVITATIONS_BY_USERS: 'true',
  ACCOUNT_RATE_LIMITS: JSON.stringify({
    ...{ login_failed: MAIL_LIMITS, mfa_failed: `${FIVE}/user`, signup: `${FIVE}/ip` },
    ...{ reset_mail: MAIL_LIMITS, verify_mail: MAIL_LIMITS, code_mail: MAIL_LIMITS },
    ...{ passkey_begin: `${FIVE}/ip`, social: `${FIVE}/ip`, change_name: `${FIVE}/user` },
    ...{ notice_mail: `${FIVE}/key`, invitation_mail: `${FIVE}/key,${FIVE}/user` },
  }),
}
const THROTTLED = { REST_FRAMEWORK_DEFAULT_THROTTLE_RATES: `{"auth_service": "${FIVE}"}` }

export const limits = {
  name: 'limits',
  shows:
    'a limit of five lets exactly five of 200 parallel attempts through, whatever they pretend',
  needs: [],
  broken: [
    {
      why: 'a full window takes another hit',
      file: 'src/features/limits/limits-queries.ts',
      from: 'length(limits.hits) < ',
      to: 'length(limits.hits) <= ',
    },
    {
      why: 'the first entry of X-Forwarded-For is believed',
      file: 'src/http/client-address.ts',
      from: 'return readAddress(hopFromRight(String(forwarded), proxies)) ?? socket',
      to: "return readAddress(String(forwarded).split(',')[0] ?? '') ?? socket",
    },
  ],

  async run(options) {
    const crowd = SIZES[options.size]
    const failures = []
    for (const name of DEPLOYMENTS) {
      const deployment = await startDeployment(name, options, SETTINGS)
      const { people: throttled } = await deployment.beside(THROTTLED)
      for (const one of answered) {
        failures.push(...(await countAnswers({ ...deployment, throttled }, one, crowd)))
        options.say(`${name}: ${one.name}`)
      }
      for (const one of mailed) failures.push(...(await countMails(deployment, one, crowd)))
    }
    for (const failure of failures) options.say(failure)
    const count = answered.length + mailed.length
    const outcome = failures.length === 0 ? `exactly ${LIMIT} each` : failures.join('; ')
    return {
      held: failures.length === 0,
      figure: `${count} limits × ${crowd} parallel × ${DEPLOYMENTS.length} deployments, ${outcome}`,
      details: { limits: [...answered, ...mailed].map(({ name }) => name), crowd, failures },
    }
  },
}

async function attack(deployment, { door = 'people', prepare = async () => ({}), send }, crowd) {
  const shared = await prepare(deployment.people, crowd)
  const attempt = (_, i) => send(deployment[door], shared, i)
  return { shared, replies: await Promise.all(Array.from({ length: crowd }, attempt)) }
}

/**
 * Everybody beyond the limit must hear 429. A client who sends more passwords than may wait hears 503, whether or not the
 * attempt was counted before. So with some of those, fewer than five may have been let through, but never more.
 */
async function countAnswers(deployment, one, crowd) {
  const { replies } = await attack(deployment, one, crowd)
  const count = (isMeant) => replies.filter(({ status }) => isMeant(status)).length
  const busy = count((status) => status === 503)
  const passed = count((status) => status < 500 && status !== 429)
  const refused = count((status) => status === 429)
  const isExact = passed <= LIMIT && passed + busy >= LIMIT
  if (isExact && passed + busy + refused === crowd) return []
  return [`${deployment.name}: ${one.name}: ${countStatuses(replies)}`]
}

async function countMails(deployment, one, crowd) {
  const { sizeOf = ({ text }) => text.length } = one
  const { shared, replies } = await attack(deployment, one, crowd)
  while ((await deployment.people.waitingMails()) > 0) await setTimeout(100)
  const mails = deployment.mailbox.counts.get(shared.email) ?? 0
  const [first] = replies
  const isSilent = replies.every(
    (reply) =>
      reply.status < 300 && reply.status === first.status && sizeOf(reply) === sizeOf(first),
  )
  if (mails === LIMIT && isSilent) return []
  return [`${deployment.name}: ${one.name}: ${mails} mails, ${countStatuses(replies)}`]
}
