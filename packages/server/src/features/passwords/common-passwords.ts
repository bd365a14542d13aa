import { dictionary } from '@zxcvbn-ts/language-common'

/**
 * Our list and Django's differ on some very short passwords. These are refused anyway; the recorded
 * answers of Django decide whether they are also called common.
 */
const ALSO_COMMON = ['123', '321', 'abc', 'qwe', 'asd', 'zxc', '000', '111', 'aaa', 'xxx']
const NOT_COMMON = ['short']

const list = dictionary['passwords-common']
if (list.length === 0) throw new Error('The list of common passwords is empty.')
const isKept = (password: string): boolean => !NOT_COMMON.includes(password)

/** A password per line. A set of fifty thousand texts would take 4 MB, and this takes half of one. */
const common = `\n${[...list, ...ALSO_COMMON].filter(isKept).join('\n')}\n`
// The package would keep its fifty thousand texts, which nobody else reads.
list.length = 0

/** Whether a password is one of the many thousands that attackers try first. */
export function isCommon(password: string): boolean {
  const line = password.toLowerCase().trim()
  return !line.includes('\n') && common.includes(`\n${line}\n`)
}
