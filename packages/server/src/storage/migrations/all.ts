import type { Migration } from '../migrate.ts'
import { accounts } from './0001-accounts.ts'
import { emailKeys } from './0002-email-keys.ts'
import { refreshTokens } from './0003-refresh-tokens.ts'
import { mfa } from './0004-mfa.ts'
import { passkeys } from './0005-passkeys.ts'
import { social } from './0006-social.ts'
import { auditOutlives } from './0007-audit-outlives.ts'
import { auditDays } from './0008-audit-days.ts'
import { usernameSkeletons } from './0009-username-skeletons.ts'
import { refoldedUsernames } from './0010-refolded-usernames.ts'
import { userFields } from './0011-user-fields.ts'
import { devices } from './0012-devices.ts'
import { coveredUserFields } from './0013-covered-user-fields.ts'
import { ownedRows } from './0014-owned-rows.ts'
import { newAddressesAndCodes } from './0015-new-addresses-and-codes.ts'
import { userUuids } from './0016-user-uuids.ts'
import { django } from './0017-django.ts'
import { events } from './0018-events.ts'
import { passkeyBackups } from './0019-passkey-backups.ts'
import { markedAdditions } from './0020-marked-additions.ts'
import { hashKinds } from './0021-hash-kinds.ts'
import { loginsInOrder } from './0022-logins-in-order.ts'
import { numberedEvents } from './0023-numbered-events.ts'
import { instances } from './0025-instances.ts'
import { administration } from './0026-administration.ts'
import { admin } from './0027-admin.ts'
import { impersonations } from './0028-impersonations.ts'
import { deletedUuids } from './0029-deleted-uuids.ts'
import { userLanguage } from './0030-user-language.ts'
import { keysOfLogins } from './0031-keys-of-logins.ts'
import { apiKeys } from './0032-api-keys.ts'
import { requiredFactors } from './0033-required-factors.ts'
import { invitations } from './0035-invitations.ts'
import { passkeySignups } from './0036-passkey-sign-ups.ts'
import { markedSearch } from './0037-marked-search.ts'
import { shortList } from './0038-short-pending-list.ts'
import { emailEpochs } from './0039-email-epochs.ts'
import { wideIds } from './0040-wide-ids.ts'
import { smallerIndexes } from './0041-smaller-indexes.ts'
import { mailClaims } from './0042-mail-claims.ts'
import { linksOfChallenges } from './0043-links-of-challenges.ts'
import { keysOfSpentTokens } from './0044-keys-of-spent-tokens.ts'
import { usersOfSpentTokens } from './0045-users-of-spent-tokens.ts'
import { roomForUses } from './0046-room-for-uses.ts'

/** In order, forward only. A released migration is never edited; a new one follows it. */
export const migrations: readonly Migration[] = [
  accounts,
  emailKeys,
  refreshTokens,
  mfa,
  passkeys,
  social,
  auditOutlives,
  auditDays,
  usernameSkeletons,
  refoldedUsernames,
  userFields,
  devices,
  coveredUserFields,
  ownedRows,
  newAddressesAndCodes,
  userUuids,
  django,
  events,
  passkeyBackups,
  markedAdditions,
  hashKinds,
  loginsInOrder,
  numberedEvents,
  instances,
  administration,
  admin,
  impersonations,
  deletedUuids,
  userLanguage,
  keysOfLogins,
  apiKeys,
  requiredFactors,
  invitations,
  passkeySignups,
  markedSearch,
  shortList,
  emailEpochs,
  wideIds,
  smallerIndexes,
  mailClaims,
  linksOfChallenges,
  keysOfSpentTokens,
  usersOfSpentTokens,
  roomForUses,
]
