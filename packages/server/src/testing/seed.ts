import { readFileSync } from 'node:fs'
import { parseJson } from '../kernel/json-object.ts'
import { readObject } from './input.ts'
import { TestRefusal } from './refusal.ts'

/** The users that every space has from the start, and again after a reset. */
export type Seed = { readonly users?: readonly object[] }

/** The users of a seed, which each space checks when it adds them. */
export function usersOf(seed: unknown): readonly unknown[] {
  const { users = [] } = readObject(seed, ['users'], 'the seed')
  if (!Array.isArray(users)) throw new TestRefusal('users: expected a list, in the seed.')
  return users
}

export function readSeed(file: string): readonly unknown[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new TestRefusal(`The seed ${file} cannot be read (${(error as { code?: string }).code}).`)
  }
  const seed = parseJson(text)
  if (seed === undefined) throw new TestRefusal(`The seed ${file} is not valid JSON.`)
  return usersOf(seed)
}
