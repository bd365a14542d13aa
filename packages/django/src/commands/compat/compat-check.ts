import { type CommandCall, command } from '../../../../server/src/cli/command.ts'
import { progressOf } from '../../../../server/src/cli/output.ts'
import { refusal, usageRefusal } from '../../../../server/src/cli/refusal.ts'
import { readPassword } from '../../../../server/src/cli/user/password.ts'
import { type Answer, ask, type Sent } from './answer.ts'
import { compare, type Difference } from './compare.ts'
import { explain } from './on-purpose.ts'
import { harmless, leave, logIn, renewed, type Step, signedIn } from './script.ts'

const options = {
  user: {
    type: 'optional',
    placeholder: '<name>',
    doc: 'Also log in as this user of both services, by username or address',
  },
  'password-stdin': { type: 'flag', doc: 'Read the password of that user from standard input' },
} as const

type CheckCall = CommandCall<typeof options>

type Found = Difference & { readonly step: string; readonly why: string | null }

export const compatCheck = command({
  argument: {
    placeholder: '<old base url>',
    doc: 'where the endpoints of the Django project are, such as https://example.com/auth/',
    followedBy: { placeholder: '<new base url>', doc: 'where those of Latchkey are', once: true },
  },
  options,
  async run(call) {
    const bases: [URL, URL] = [baseIn(call.argument, 'old'), baseIn(call.rest[0] ?? '', 'new')]
    const first = await firstStep(call)
    const steps = [...harmless, ...(first ? [first, ...signedIn, ...leave] : [])]
    const progress = progressOf('Requests', steps.length, call.io)
    const found: Found[] = []
    const skipped: string[] = []
    let logins: [Answer | null, Answer | null] = [null, null]

    for (const [i, step] of steps.entries()) {
      const answers = await askBoth(step, bases, logins)
      if (i === 0) refuseOtherPlaces(bases, answers)
      if (!answers[0] && !answers[1]) skipped.push(step.name)
      if (step === first) logins = answers
      if (step.renews) logins = [renewed(logins[0], answers[0]), renewed(logins[1], answers[1])]
      found.push(...differencesIn(step, answers, logins))
      progress.at(i + 1)
    }
    progress.end()
    report(call, steps.length - skipped.length, found, skipped)
  },
})

async function firstStep({ values, io }: CheckCall): Promise<Step | null> {
  const { user, 'password-stdin': hasPassword } = values
  if ((user === undefined) === hasPassword) {
    throw usageRefusal('--user and --password-stdin must be used together.')
  }
  return user === undefined ? null : logIn(user, await readPassword(io))
}

function baseIn(text: string, which: 'old' | 'new'): URL {
  // Older versions of Node 20 have no `URL.parse`.
  const url = URL.canParse(text) ? new URL(text) : null
  const hasMore = url && url.username + url.password + url.search !== ''
  if (!url || hasMore || !/^https?:$/.test(url.protocol)) {
    // The message does not quote the URL, which may have a password.
    throw usageRefusal(
      `The ${which} base URL must be like https://example.com/auth/, without a user or a query.`,
    )
  }
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`)
}

async function askBoth(
  step: Step,
  [old, young]: [URL, URL],
  [there, here]: [Answer | null, Answer | null],
): Promise<[Answer | null, Answer | null]> {
  const send = (base: URL, sent: Sent | null) => (sent ? askOne(base, sent) : null)
  return Promise.all([send(old, step.request(there)), send(young, step.request(here))])
}

async function askOne(base: URL, sent: Sent): Promise<Answer> {
  try {
    return await ask(base, sent)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw refusal(`${new URL(sent.path, base).href} does not answer: ${reason}`)
  }
}

/** With wrong base URLs both would answer 404 to everything, and look alike. */
function refuseOtherPlaces(bases: [URL, URL], answers: [Answer | null, Answer | null]): void {
  for (const [i, base] of bases.entries()) {
    const status = answers[i]?.status
    if (status === 401 || status === 403) continue
    throw refusal(`${base.href}user/ answers ${status}. Are the endpoints really there?`)
  }
}

function differencesIn(
  step: Step,
  [old, young]: [Answer | null, Answer | null],
  [there, here]: [Answer | null, Answer | null],
): Found[] {
  if (!old && !young) return []
  if (!old || !young) {
    const [before = '', after = ''] = [old, young].map((answer) => (answer ? 'asked' : 'not asked'))
    const difference = { at: 'credential of the login', old: before, new: after }
    // What explains that only one login gave a credential also explains what could not be asked.
    const login = { step: { name: 'login/' }, difference }
    const why = there && here ? explain({ ...login, old: there, young: here }) : null
    return [{ step: step.name, ...difference, why }]
  }
  return compare(old, young).map((difference) => ({
    step: step.name,
    ...difference,
    why: explain({ step, old, young, difference }),
  }))
}

function report(
  { say }: CheckCall,
  requests: number,
  found: readonly Found[],
  skipped: readonly string[],
): void {
  const differences = found.filter(({ why }) => why === null)
  const explained = found.filter(({ why }) => why !== null)
  const line = (one: Found) => `${one.step}\n  ${one.at}: ${one.old} → ${one.new}`
  const reasons = [...new Set(explained.map(({ why }) => why))].map((why) => {
    const places = explained.filter((one) => one.why === why).map(({ step }) => step)
    return `${why}\n  ${[...new Set(places)].join('; ')}`
  })
  const text = [
    ...differences.map(line),
    ...(reasons.length > 0 ? ['', 'Different on purpose:', ...reasons] : []),
    ...(skipped.length > 0
      ? ['', 'Not asked, since neither login gave a token for it:', `  ${skipped.join('; ')}`]
      : []),
    '',
    `${requests} requests, ${differences.length} differences, ${explained.length} more on purpose.`,
  ]
  const bare = differences.map(({ why: _, ...difference }) => difference)
  say(text.join('\n').trimStart(), { requests, differences: bare, explained, skipped })
  if (differences.length > 0) throw refusal('The two services do not answer alike.')
}
