import { dictionary } from '@zxcvbn-ts/language-common'

/**
 * Where the list and that of the original differ on passwords so short that they are refused
 * anyway, the recorded answers decide whether they are called common on top of it.
 */
const ALSO_COMMON = ['123', '321', 'abc', 'qwe', 'asd', 'zxc', '000', '111', 'aaa', 'xxx']
const NOT_COMMON = ['short']

/** Whether a password is among the many thousands that everybody tries first. */
export function createIsCommon(): (password: string) => boolean {
  const common = new Set([...dictionary['passwords-common'], ...ALSO_COMMON])
  for (const password of NOT_COMMON) common.delete(password)
  return (password) => common.has(password.toLowerCase().trim())
}
