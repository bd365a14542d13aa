import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { end } from '../../run-program.js'
import { createClient } from '../parts/client.js'
import { SETTINGS } from '../parts/deployments.js'
import { startIdentityProvider } from '../parts/identity-provider.js'
import { createPeople, PASSWORD } from '../parts/visitors.js'

const WAIT = '30s'
/** Ticks of the processor in a second, as Linux counts them in `/proc`. */
const TICKS = 100

/** `latchkey test`: the same service with a clock that can be turned. Its people are those of the other proofs. */
export async function startTestService({ folder, server, atTheEnd }) {
  let offsetMs = 0
  const now = () => Date.now() + offsetMs
  const idp = await startIdentityProvider({ now })
  atTheEnd(idp.stop)
  const { ADMIN_LISTEN: _, ...settings } = SETTINGS
  const child = spawn(process.execPath, [server, 'test'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...settings,
      PUBLIC_URL: '',
      SOCIALACCOUNT_PROVIDERS: idp.setting,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  atTheEnd(() => end(child))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, api } = JSON.parse(line)
  const client = createClient()
  atTheEnd(client.close)

  async function control(method, path, body) {
    const reply = await client.ask(method, `${url}/__test/${path}`, { body })
    if (reply.status >= 200 && reply.status < 300) return reply.body
    throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`)
  }

  const seen = new Set()
  const mailbox = {
    async find(address, pattern) {
      const letters = await control('GET', `mail?to=${encodeURIComponent(address)}&wait=${WAIT}`)
      const letter = letters.find(({ id, text }) => !seen.has(id) && pattern.test(text))
      if (!letter) throw new Error(`No mail with ${pattern} came to ${address}.`)
      seen.add(letter.id)
      return pattern.exec(letter.text)
    },
  }
  const people = createPeople({ client, urls: [api], mailbox, idp, now, origin: url, create })
  let count = 0

  async function create({ verified = true } = {}) {
    count += 1
    const username = `timely${count}`
    const email = `${username}@example.com`
    const { user } = await control('POST', 'users', {
      username,
      email,
      verified,
      password: PASSWORD,
    })
    return { pk: user.pk, username, email }
  }

  return {
    people,
    /** Turns the clock of the service to so many milliseconds from the real time. */
    async turn(ms) {
      offsetMs = ms
      await control('POST', 'clock', { set: new Date(now()).toISOString() })
      await control('POST', 'clock', { run: true })
    },
    /** Starts to measure. The returned function resolves with the share of one core used since. */
    async busyShare() {
      const before = { at: performance.now(), ticks: await ticksOf(child.pid) }
      return async () => {
        const ticks = (await ticksOf(child.pid)) - before.ticks
        return ticks / TICKS / ((performance.now() - before.at) / 1000)
      }
    },
  }
}

async function ticksOf(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ')
  return Number(fields[11]) + Number(fields[12])
}
