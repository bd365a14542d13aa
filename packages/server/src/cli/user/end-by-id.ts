import type { Command } from '../command.ts'
import { isProblem, refusal } from '../refusal.ts'
import { nameOf } from '../with-operations.ts'
import { userChange } from './with-user.ts'

type Ending = {
  readonly operation: 'users.endLogins' | 'users.revokeApiKey'
  /** What an id stands for, and the command that lists the ids. */
  readonly what: string
  readonly list: string
  /** What happened to one, and to several: `is revoked`, `are revoked`. */
  readonly verbs: readonly [one: string, several: string]
  /** The name of the ended ids for programs. */
  readonly done: string
}

/** A command that ends logins or keys of a user, by their ids. */
export const endById = ({ operation, what, list, verbs, done }: Ending): Command => {
  const followedBy = { placeholder: '<id>', doc: `a ${what}, as "latchkey ${list}" lists it` }
  return userChange({ followedBy }, async (call, user, operations) => {
    const ids = [...new Set(call.rest)]
    const unknown: string[] = []
    for (const id of ids) {
      await operations.run(operation, user, { id }).catch((error: unknown) => {
        if (!isProblem(error, 'not_found')) throw error
        unknown.push(id)
      })
    }
    const ended = ids.filter((id) => !unknown.includes(id))
    const [the, verb] = ended.length === 1 ? [`The ${what}`, verbs[0]] : [`The ${what}s`, verbs[1]]
    const words = `${the} ${ended.join(', ')} of ${nameOf(user)} ${verb}.`
    if (unknown.length > 0) {
      const others = ended.length > 0 ? ` ${words}` : ''
      throw refusal(`${nameOf(user)} has no ${what} ${unknown.join(', ')}.${others}`)
    }
    call.say(words, { ...(await operations.shown(user)), [done]: ended })
  })
}
