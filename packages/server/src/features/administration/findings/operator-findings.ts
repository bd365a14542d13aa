import { pkOf } from '../../../core/identity.ts'
import { counted, named } from '../../../kernel/texts.ts'
import type { Finding } from '../../../settings/finding.ts'
import type { UpToAccount } from '../../account/feature.ts'
import { activeSuperusers } from '../../users/superusers.ts'

/** A deployment has a handful of superusers. The rest is reported when these are fixed. */
const LOOKED_AT = 100

/** What `check --deploy` says about the people and programs that may administer the service. */
export async function operatorFindings(house: UpToAccount): Promise<Finding[]> {
  if (!house.settings.MODULES.includes('admin')) return []
  return [...(await superuserFindings(house)), ...(await keyFindings(house))]
}

/** Anybody who knows the password of such a superuser can set up the second factor, and take over. */
async function superuserFindings({ db, mfa, operatorPasskey }: UpToAccount): Promise<Finding[]> {
  const open = []
  for (const user of await activeSuperusers(LOOKED_AT, db)) {
    const isSafe = (await mfa.isOn(user.id)) || (await operatorPasskey.isNeeded(user, db))
    if (!isSafe) open.push(pkOf(user))
  }
  if (open.length === 0) return []
  return [
    {
      about: 'superusers',
      says: `${counted(open.length, 'superuser has', 'superusers have')} neither a second factor nor a passkey that opens the admin pages (${named(open)})`,
      mend: 'let them set one up in the account or the admin pages, or remove the flag with "latchkey user set"',
    },
  ]
}

/** A leaked key without an expiry date works until somebody notices. */
async function keyFindings({ adminKeys }: UpToAccount): Promise<Finding[]> {
  const lasting = (await adminKeys.list()).filter(({ expires_at }) => expires_at === null)
  if (lasting.length === 0) return []
  const names = lasting.map(({ name }) => name)
  return [
    {
      about: 'admin keys',
      says: `${counted(names.length, 'key never expires', 'keys never expire')} (${named(names)})`,
      mend: 'make new ones with "latchkey admin-key create --expires 90d", then revoke these',
    },
  ]
}
