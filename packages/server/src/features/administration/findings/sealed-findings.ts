import { pkOf } from '../../../core/identity.ts'
import { counted, named } from '../../../kernel/texts.ts'
import type { Finding } from '../../../settings/finding.ts'
import type { UpToAccount } from '../../account/feature.ts'
import type { Reseal, Unreadable } from '../reseal.ts'

type Needs = UpToAccount & { reseal: Reseal }

/** Checks that the sealed values in the first `most` rows of each table can be opened. */
export async function sealedFindings(
  { reseal, users }: Needs,
  { most }: { most: number },
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const lost of await reseal.unreadable({ most })) {
    findings.push(unreadable(lost, await usersNamed(lost, users)))
  }
  return findings
}

/** Counts the values of former keys, since a former key is needed as long as there are any. */
export async function formerKeyFindings({ reseal, settings }: Needs): Promise<Finding[]> {
  if (settings.SECRET_KEY_FALLBACKS.length === 0) return []
  const about = 'SECRET_KEY_FALLBACKS'
  const outdated = await reseal.countOutdatedInTime()
  if (outdated === 0) {
    return [{ about, says: 'no former key is in use', mend: 'remove the former keys' }]
  }
  const says =
    outdated === null
      ? 'the values of former keys could not be counted in time'
      : `${counted(outdated, 'value is', 'values are')} still sealed with a former key`
  return [{ about, says, mend: 'run "latchkey keys reseal", then remove the former keys' }]
}

async function usersNamed({ userIds }: Unreadable, users: Needs['users']): Promise<string> {
  const found = await Promise.all(userIds.map((id) => users.findById(id)))
  const pks = found.flatMap((user) => (user ? [pkOf(user)] : []))
  if (pks.length === 0) return ''
  return ` (${pks.length === 1 ? 'user' : 'users'} ${named(pks)})`
}

const FORMER_KEY = 'add the key that sealed them to SECRET_KEY_FALLBACKS'

function unreadable({ table, count, isPartial }: Unreadable, users: string): Finding {
  return {
    about: 'sealed data',
    says: `${isPartial ? 'at least ' : ''}${counted(count, 'value')} in ${table} cannot be opened${users}`,
    mend:
      table === 'totp_authenticators'
        ? `${FORMER_KEY}; if there is none, run "latchkey user reset-mfa", since no code of the app is accepted`
        : `${FORMER_KEY}; docs/key-rotation.md says what is lost without it`,
  }
}
