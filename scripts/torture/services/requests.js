import { setTimeout } from 'node:timers/promises'
import { createApi } from '../parts/api.js'
import { PASSWORD } from '../parts/visitors.js'

/** Of a client between its requests. */
const PAUSE_MS = 100

/**
 * Requests, their good answers, and the service of others that an answer needs. Mails and events come after the answer,
 * so a mail server and a receiver are needed by none.
 */
export const REQUESTS = {
  lookup: { ask: (api, { service }) => api.get('user/', { token: service.token }), status: 200 },
  login: {
    ask: (api, { service }) => api.post('login/', { body: service.credentials }),
    status: 200,
  },
  reset: {
    ask: (api) => api.post('password/reset/', { body: { email: 'grace@example.com' } }),
    status: 200,
  },
  registration: { ask: register, status: 201, needs: 'captcha' },
  'social login': {
    ask: (api, { provider }) => api.post('acme/', { body: { code: provider.codeOf('ada') } }),
    status: 200,
    needs: 'provider',
  },
}

async function register(api, { people }) {
  const username = `person${people.length}x${Date.now()}`
  const email = `${username}@example.com`
  const body = { username, email, password1: PASSWORD, password2: PASSWORD, captcha: 'solved' }
  const reply = await api.post('registration/', { body })
  if (reply.status === 201) people.push(username)
  return reply
}

/** One client for each kind of request, for a time. Returns the answers of each kind, at least one. */
export async function askAll(world, ms) {
  const api = createApi(world.service.url)
  const until = performance.now() + ms
  const answers = {}
  const ask = async (name) => {
    answers[name] = []
    do {
      answers[name].push(await REQUESTS[name].ask(api, world))
      await setTimeout(PAUSE_MS)
    } while (performance.now() < until)
  }
  await Promise.all(Object.keys(REQUESTS).map(ask))
  api.close()
  return answers
}

/** How long until every kind of request has a good answer; infinite if that does not happen. */
export async function untilBack(world, mostMs) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < mostMs) {
    const answers = await askAll(world, 0)
    const isBack = Object.entries(answers).every(
      ([name, [{ status }]]) => status === REQUESTS[name].status,
    )
    if (isBack) return performance.now() - startedAt
  }
  return Number.POSITIVE_INFINITY
}
