import { domainToASCII } from 'node:url'
import { list } from '../../kernel/setting-kinds/compounds.ts'
import { textual } from '../../kernel/setting-kinds/kind.ts'

const FILE = 'file:'
const DOMAIN = /^(?:\*\.)?(?:[a-z0-9_-]{1,63}\.)*[a-z0-9-]{1,63}$/

/** A domain as addresses have it, or undefined: in lower case, international names in ASCII. */
export function toDomain(text: string): string | undefined {
  if (text.length > 255) return undefined
  const [, star = '', name = ''] = /^(\*\.)?(.*)$/.exec(text.trim().toLowerCase()) ?? []
  const domain = `${star}${domainToASCII(name)}`
  return DOMAIN.test(domain) ? domain : undefined
}

/** The file that an entry names, or null if the entry is a domain. */
export const fileIn = (entry: string): string | null =>
  entry.startsWith(FILE) ? entry.slice(FILE.length) : null

export const emailDomains = list(
  textual(
    'a domain, *.domain for what is below it, or file:<path> with one in each line',
    (input) => (input.length > FILE.length && input.startsWith(FILE) ? input : toDomain(input)),
  ),
)
