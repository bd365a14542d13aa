let failed = 0

export const isWell = () => failed === 0

export const say = (text) => process.stdout.write(`${text}\n`)

/** One line for each thing that was looked at. */
export function check(what, isRight, seen) {
  if (!isRight) failed += 1
  say(`${isRight ? 'PASS' : 'FAIL'}  ${what}${isRight ? '' : `: ${shown(seen)}`}`)
}

/** Whether the answer has this status, and comes from the expected service. */
export function checkAnswer(what, answer, status, by) {
  const isRight = answer.status === status && (by === undefined || answer.by === by)
  check(what, isRight, { status: answer.status, by: answer.by, body: answer.body })
}

/** A command of Latchkey: its exit code, and words that its output must have. */
export function checkCommand(what, { code, stdout, stderr }, expected, ...words) {
  const output = `${stdout}${stderr}`
  const isRight = code === expected && words.every((word) => output.includes(word))
  check(what, isRight, { code, output })
}

const shown = (seen) => (typeof seen === 'string' ? seen : JSON.stringify(seen)).slice(0, 2000)
