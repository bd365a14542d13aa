import { dictionary } from '@zxcvbn-ts/language-common'

/**
 * Our list and Django's differ on some very short passwords. These are refused anyway; the recorded
 * answers of Django decide whether they are also called common.
 */
const ALSO_COMMON = ['123', '321', 'abc', 'qwe', 'asd', 'zxc', '000', '111', 'aaa', 'xxx']
const NOT_COMMON = ['short']

const common = new Set([...dictionary['passwords-common'], ...ALSO_COMMON])
for (const password of NOT_COMMON) common.delete(password)

/** Whether a password is one of the many thousands that attackers try first. */
export const isCommon = (password: string): boolean => common.has(password.toLowerCase().trim())
