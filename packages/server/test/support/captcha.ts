import type { ServerResponse } from 'node:http'
import { type Heard, sendJson, startLoopbackServer } from './loopback-server.ts'

export const SITE_KEY = 'the-site-key'
export const SECRET = 'the secret of the site'
export const SOLVED = 'solved'
export const NOT_HUMAN = { captcha: ['Please confirm that you are human.'] }

type Provider = 'turnstile' | 'hcaptcha' | 'recaptcha' | 'friendly'

/** Answers as the provider does, according to its documents. */
const speaking: Record<Provider, (heard: Heard, response: ServerResponse) => void> = {
  turnstile: (heard, response) => answerForm(heard, response),
  hcaptcha: (heard, response) => answerForm(heard, response, { sitekey: SITE_KEY }),
  recaptcha: (heard, response) => answerForm(heard, response),
  friendly({ headers, body }, response) {
    const refuse = (error_code: string, status: number) =>
      sendJson(response, { success: false, error: { error_code, detail: '' } }, status)
    if (headers['content-type'] !== 'application/json') return refuse('bad_request', 400)
    if (headers['x-api-key'] !== SECRET) return refuse('auth_invalid', 401)
    const asked = JSON.parse(body)
    if (asked.sitekey !== SITE_KEY) return refuse('sitekey_invalid', 400)
    if (asked.response !== SOLVED) return refuse('response_invalid', 200)
    sendJson(response, { success: true, data: { challenge: { origin: 'app.example' } } })
  },
}

function answerForm({ body }: Heard, response: ServerResponse, more: Record<string, string> = {}) {
  const asked = Object.fromEntries(new URLSearchParams(body))
  const refuse = (code: string) => sendJson(response, { success: false, 'error-codes': [code] })
  if (asked.secret !== SECRET) return refuse('invalid-input-secret')
  if (Object.entries(more).some(([name, value]) => asked[name] !== value)) {
    return refuse('bad-request')
  }
  if (asked.response !== SOLVED) return refuse('invalid-input-response')
  sendJson(response, { success: true, hostname: 'app.example' })
}

/** A provider on this machine. A test may make it answer something else. */
export async function startCaptcha(provider: Provider = 'turnstile') {
  const now = { answer: speaking[provider] }
  const server = await startLoopbackServer((heard, response) => now.answer(heard, response))
  return {
    ...server,
    answerWith(answer: (heard: Heard, response: ServerResponse) => void) {
      now.answer = answer
    },
    recover() {
      now.answer = speaking[provider]
    },
    settings: (more: Record<string, unknown> = {}) => ({
      PROVIDER: provider,
      SITE_KEY,
      SECRET,
      VERIFY_URL: `${server.url}/siteverify?by=proxy`,
      ...more,
    }),
  }
}
