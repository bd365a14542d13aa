import { isObject } from '../../kernel/json-object.ts'
import { nearest } from '../../settings/nearest.ts'
import { hookNames } from '../hooks.ts'
import type { HostOptions } from './plug-points.ts'

/** What is wrong with the functions of the host, in words for its programmer. */
export function hostMistakes({ hooks, mail, passwordRules, usernameRules }: HostOptions): string[] {
  return [
    ...(hooks === undefined ? [] : mistakesOfHooks(hooks)),
    ...(mail === undefined ? [] : mistakesOfMail(mail)),
    ...notAFunction('passwordRules', passwordRules),
    ...notAFunction('usernameRules', usernameRules),
  ]
}

function mistakesOfHooks(hooks: unknown): string[] {
  if (!isObject(hooks)) return [`hooks: got ${kindOf(hooks)}, expected an object of functions`]
  return Object.entries(hooks).flatMap(([name, hook]) =>
    isHookName(name) ? notAFunction(`hooks.${name}`, hook) : [unknownHook(name)],
  )
}

function mistakesOfMail(mail: unknown): string[] {
  if (!isObject(mail) || mail.send === undefined) {
    return [`mail: got ${kindOf(mail)}, expected an object with a function send`]
  }
  return notAFunction('mail.send', mail.send)
}

const isHookName = (name: string): boolean => hookNames.some((known) => known === name)

function unknownHook(name: string): string {
  const meant = nearest(name, hookNames)
  return `hooks.${name}: no such hook${meant ? `; did you mean ${meant}?` : ''}`
}

/** What is undefined counts as left out. */
const notAFunction = (name: string, value: unknown): string[] =>
  value === undefined || typeof value === 'function'
    ? []
    : [`${name}: got ${kindOf(value)}, expected a function`]

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
