import * as Type from '@sinclair/typebox'
import { text } from '../../http/fields.ts'
import { problem } from '../../kernel/problems.ts'
import type { UpToAccount } from '../account/feature.ts'
import { IMPERSONATE } from '../pages/impersonation-endpoint.ts'
import { changesBy } from './changes.ts'
import { pk, REASON_MAX } from './fields-of-operations.ts'
import type { FindTarget } from './find-operations.ts'
import { operation } from './operation.ts'
import { IMPERSONATION } from './permits.ts'

/** Using the account of a user. Without `ADMIN_IMPERSONATION` it answers 404. */
export const impersonationOperations = (house: UpToAccount & { findTarget: FindTarget }) => ({
  'users.impersonate': operation({
    ...IMPERSONATION,
    method: 'POST',
    path: 'users/:pk/impersonate/',
    summary: 'Use the account of an ordinary user for 30 minutes; the user gets a mail',
    actsOn: 'user',
    input: { pk: pk(), reason: text({ max: REASON_MAX }) },
    output: Type.Object({
      access: Type.Optional(
        Type.String({ description: 'An access token of the user, with JSON Web Tokens' }),
      ),
      url: Type.Optional(
        Type.String({ description: 'A link that starts a session once, within 60 seconds' }),
      ),
    }),
    refusals: ['not_impersonable'],
    async run(actor, input) {
      const { settings, place, findTarget } = house
      if (!settings.ADMIN_IMPERSONATION) throw problem('not_found')
      const { access, key } = await changesBy(actor, house).impersonate(await findTarget(input.pk))
      const url = `${settings.PUBLIC_URL}${place().PAGES_PREFIX}${IMPERSONATE}${key}`
      return { ...(access !== null && { access }), ...(key !== null && { url }) }
    },
  }),
})
