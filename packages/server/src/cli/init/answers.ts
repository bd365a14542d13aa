import { topLevel } from '../../settings/settings.ts'
import { usageRefusal } from '../refusal.ts'
import type { Terminal } from './terminal.ts'

/** The questions, in order. Each answer is checked as the setting that it becomes. */
const QUESTIONS = [
  {
    option: 'name',
    setting: 'SITE_NAME',
    question: 'What is your site called?',
  },
  {
    option: 'url',
    setting: 'PUBLIC_URL',
    question: 'At which address do browsers reach it?',
  },
  {
    option: 'database',
    setting: 'DATABASE_URL',
    question: 'Where is its data? sqlite:<file>, or postgres://user@host/database',
  },
  {
    option: 'mail',
    setting: 'EMAIL_URL',
    question: 'How are mails sent? console: prints them, smtp://user@host:587 sends them',
  },
] as const

type Question = (typeof QUESTIONS)[number]
type Given = Readonly<Partial<Record<Question['option'], string | undefined>>>
type Answers = Record<Question['setting'], string>

/** How many questions there are, with the one for providers. */
export const QUESTION_COUNT = QUESTIONS.length + 1

const defaultsFor = (folder: string): Answers => ({
  SITE_NAME: faultOf('SITE_NAME', folder) === null ? folder : 'Latchkey',
  PUBLIC_URL: 'http://localhost:8000',
  DATABASE_URL: topLevel.DATABASE_URL.defaultText,
  EMAIL_URL: topLevel.EMAIL_URL.defaultText,
})

/** Takes the options, then asks on the terminal if there is one, and else uses the defaults. */
export async function collectAnswers(
  given: Given,
  folder: string,
  terminal: Terminal | null,
): Promise<Answers> {
  // Refuses wrong options before the first question.
  for (const { option, setting } of QUESTIONS) refuseWrong(option, setting, given[option])
  const answers = { ...defaultsFor(folder) }
  for (const [index, question] of QUESTIONS.entries()) {
    const { option, setting } = question
    const answer = given[option]
    if (answer !== undefined) answers[setting] = answer
    else if (terminal) {
      answers[setting] = await askFor(terminal, question, index + 1, answers[setting])
    }
  }
  return answers
}

function refuseWrong(option: string, setting: Question['setting'], value: string | undefined) {
  const fault = value === undefined ? null : faultOf(setting, value)
  if (fault !== null) throw usageRefusal(`--${option}: expected ${fault}.`)
}

async function askFor(
  terminal: Terminal,
  { question, setting }: Question,
  number: number,
  otherwise: string,
): Promise<string> {
  for (;;) {
    const words = `${number}/${QUESTION_COUNT} ${question}\n    [${otherwise}] `
    const answer = (await terminal.ask(words)) || otherwise
    const fault = faultOf(setting, answer)
    if (fault === null) return withPassword(terminal, answer)
    terminal.tell(`    This cannot be used. It must be ${fault}.`)
  }
}

/** What the setting expects instead, or null if it accepts the value. */
function faultOf(setting: Question['setting'], value: string): string | null {
  const parsed = topLevel[setting].kind.parse(value)
  return 'value' in parsed ? null : (parsed.mistakes[0]?.expected ?? 'something else')
}

/** Asks for the password if the URL names a user without one. */
async function withPassword(terminal: Terminal, answer: string): Promise<string> {
  // `URL` cannot read an address with several hosts.
  const [start, user] = /^\w+:\/\/([^/:?#]+)(?=@)/.exec(answer) ?? []
  if (start === undefined) return answer
  const words = `    The password of ${user} (it is not shown; Enter if there is none): `
  const password = encodeURIComponent(await terminal.askSecret(words))
  return password === '' ? answer : `${start}:${password}${answer.slice(start.length)}`
}
