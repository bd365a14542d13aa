import { readFileSync } from 'node:fs'
import { nameKey } from '../../kernel/names.ts'
import { SettingsError } from '../../kernel/settings-error.ts'
import { fileIn, toDomain } from '../../settings/kinds/email-domains.ts'
import type { SettingName } from '../../settings/settings.ts'
import type { Context } from '../feature.ts'

/**
 * Tells which addresses the settings allow. If only some domains are allowed, an account without an
 * address is refused, since its domain is unknown.
 */
export function createMayUse({
  settings: { ACCOUNT },
  attempt,
}: Pick<Context, 'settings' | 'attempt'>): (email: string) => boolean {
  const domains = (name: 'ALLOWED_EMAIL_DOMAINS' | 'BLOCKED_EMAIL_DOMAINS') =>
    attempt(
      () => domainsOf(`ACCOUNT.${name}`, ACCOUNT[name]),
      () => new Set<string>(),
    )
  const allowed = domains('ALLOWED_EMAIL_DOMAINS')
  const blocked = domains('BLOCKED_EMAIL_DOMAINS')
  // An empty file allows nothing, rather than everything.
  const allowsAll = ACCOUNT.ALLOWED_EMAIL_DOMAINS.length === 0

  return (email) => {
    const key = nameKey(email)
    const names = namesOf(key.slice(key.lastIndexOf('@') + 1))
    const isIn = (some: ReadonlySet<string>) => names.some((name) => some.has(name))
    return (allowsAll || isIn(allowed)) && !isIn(blocked)
  }
}

/** The domain, and the entries with a star that match it: `a.b.c`, `*.b.c`, `*.c`. */
function namesOf(domain: string): string[] {
  const labels = domain.split('.')
  return [domain, ...labels.slice(1).map((_, at) => `*.${labels.slice(at + 1).join('.')}`)]
}

function domainsOf(setting: SettingName, entries: readonly string[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap((entry) => {
      const file = fileIn(entry)
      return file === null ? entry : domainsIn(setting, file)
    }),
  )
}

/** One in each line. Blank lines and what follows a `#` are ignored. */
function domainsIn(setting: SettingName, file: string): string[] {
  const lines = textOf(setting, file).split(/\r?\n/)
  return lines.flatMap((line, at) => {
    const [text = ''] = line.split('#', 1)
    if (text.trim() === '') return []
    const domain = toDomain(text)
    if (domain === undefined) {
      throw new SettingsError([`${setting}: line ${at + 1} of ${file} is not a domain`])
    }
    return domain
  })
}

function textOf(setting: SettingName, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new SettingsError([`${setting}: the file ${file} cannot be read (${reason})`])
  }
}
