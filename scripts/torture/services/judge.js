import { REQUESTS } from './requests.js'

/** A median may be this much slower than before, since the machine does other things, too. */
const SAME_TIMES = { factor: 2, ms: 100 }
/** For an answer that needs a service of others: the deadline of calls to it, and a little. */
const DEADLINE_MS = 8000

/** What was not as it must be while this service failed. */
export const judge = (service, before, during) =>
  Object.entries(REQUESTS).flatMap(([name, { needs }]) =>
    needs === service
      ? judgeNeedy(name, during[name])
      : judgeOthers(name, before[name], during[name]),
  )

/** Refused in time. A good answer would mean that it was believed without being asked. */
function judgeNeedy(name, replies) {
  const wrong = replies.filter(({ status }) => !(status === 503 || (status >= 400 && status < 500)))
  const slowest = Math.max(...replies.map(({ ms }) => ms))
  return [
    wrong.length > 0 && `${name}: ${kindsOf(wrong)}`,
    slowest > DEADLINE_MS && `${name} took ${Math.round(slowest)} ms`,
  ].filter(Boolean)
}

function judgeOthers(name, before, during) {
  const good = new Set(before.map(shapeOf))
  const wrong = during.filter((reply) => !good.has(shapeOf(reply)))
  const [usual, now] = [before, during].map(medianMs)
  return [
    wrong.length > 0 && `${name}: ${kindsOf(wrong)}`,
    now > usual * SAME_TIMES.factor + SAME_TIMES.ms && `${name} took ${now} instead of ${usual} ms`,
  ].filter(Boolean)
}

/** Two answers of the same shape differ only in keys and names. */
const shapeOf = ({ status, body }) => `${status} ${Object.keys(body ?? {})}`

const kindsOf = (replies) => [...new Set(replies.map(({ status }) => status))].join(', ')

export const medianMs = (replies) =>
  Math.round(replies.map(({ ms }) => ms).sort((a, b) => a - b)[replies.length >> 1])
