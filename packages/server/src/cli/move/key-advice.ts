import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { holdSameKey, keyFileOf } from '../../settings/secret-key.ts'
import { shellWord } from '../output.ts'

/** What the operator has to do so that the target gets the same SECRET_KEY. It is never printed. */
export function keyAdvice(from: string, to: string, cwd: string): readonly string[] {
  const [ours, theirs] = [keyFileOf(from), keyFileOf(to)]
  const isHere = ours !== null && existsSync(ours)
  if (!isHere) return ['Start the target with the same SECRET_KEY as the source.']
  if (ours === theirs) return []
  const source = shown(ours, cwd)
  const first = `The SECRET_KEY of the source is in ${source}, unless its settings give another one.`
  if (theirs === null) {
    return [`${first} The target needs the same:`, `  export SECRET_KEY="$(cat ${source})"`]
  }
  if (existsSync(theirs) && holdSameKey(ours, theirs)) return []
  const other = existsSync(theirs) ? ` Another key is in ${shown(theirs, cwd)}; replace it:` : ''
  return [
    `${first} The target needs the same.${other || ' Copy it:'}`,
    `  cp -p ${source} ${shown(theirs, cwd)}`,
  ]
}

const shown = (file: string, cwd: string): string => {
  const short = relative(cwd, file)
  return shellWord(short.startsWith('..') ? file : short)
}
