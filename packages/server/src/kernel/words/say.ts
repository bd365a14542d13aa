import { fill, type Texts, type Values } from './text.ts'

export type Say<Key extends string> = (key: Key, values?: Values) => string

/** Says texts by their key. The service uses it for the pages that it writes, and their script, too. */
export const createSay =
  <Key extends string>(texts: Texts<Key>, language: string): Say<Key> =>
  (key, values = {}) =>
    fill(texts[key] ?? key, values, language)
