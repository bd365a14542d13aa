import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { orNull } from '../../core/schemas.ts'
import { email, optional } from '../../http/fields.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import { problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Invitation } from '../../storage/schema.ts'
import { NO_USER } from '../audit/audit.ts'
import {
  giftsOf,
  type ListedInvitation,
  shownFields,
  shownInvitation,
} from '../signup/invitations.ts'
import { valuesSchema } from '../users/answer-user.ts'
import { notUnique, uniqueNames } from '../users/user-fields.ts'
import { emailTaken } from '../users/users.ts'
import { groups, id, ownFields } from './fields-of-operations.ts'
import { LIST, listOf, type Needs, operation, page } from './operation.ts'
import { CHANGE, LOOK, type Permits } from './rules.ts'

const Shown = Type.Object(
  {
    ...shownFields,
    groups: Type.Array(Type.String(), { examples: [['editors']] }),
    fields: valuesSchema,
    invited_by: orNull(Type.String(), {
      description: 'The username of the user who invites; null if an operator does',
      examples: [null],
    }),
  },
  { $id: 'AdminInvitation' },
)

function shown(invitation: Invitation & Partial<Pick<ListedInvitation, 'inviter'>>) {
  const { groups, fields } = giftsOf(invitation)
  return {
    ...shownInvitation(invitation),
    groups: [...groups],
    fields: fields as Static<typeof valuesSchema>,
    invited_by: invitation.inviter ?? null,
  }
}

/** Invitations of operators and, to see and revoke them, those of users. */
export function invitationOperations(house: Needs) {
  const { invitations, signup, userFields, cursors } = house
  /** As for a new user: under its own name, not under `fields`. */
  const valueTaken = notUnique(uniqueNames(userFields.declared))

  function refuseIfOff(): void {
    if (!signup.isInvited) throw problem('invitations_off')
  }

  /** Only those who may change the groups of a user may give groups to a new one. */
  const permitBy =
    ({ permit, record }: Permits) =>
    async (invitation: Invitation, event: string, tx: Tx): Promise<void> => {
      const { groups } = giftsOf(invitation)
      const touches = groups.length > 0 && event === 'invitation_sent' ? (['groups'] as const) : []
      await permit({ user: null, touches }, tx)
      await record(NO_USER, event, tx, { invitation: invitation.id })
    }

  return {
    'invitations.list': operation({
      ...LOOK,
      ...LIST,
      path: 'invitations/',
      summary: 'Open invitations, and those that have expired recently, newest first',
      input: page,
      output: listOf(Shown),
      async run(_actor, asked) {
        const { rows, next } = await cursors('invitations').page(
          asked,
          ([before = ID_MAX], most) => invitations.list(Number(before), most),
          ({ id }) => [id],
        )
        return { results: rows.map(shown), next }
      },
    }),

    'invitations.create': operation({
      ...CHANGE,
      method: 'POST',
      path: 'invitations/',
      summary: 'Mail an invitation; the new user will have these groups and fields',
      input: {
        email: email(),
        groups: optional(groups()),
        fields: ownFields(userFields.declared),
      },
      output: Shown,
      faults: { email: ['email_taken'] },
      refusals: ['invitations_off', 'mail_limit_reached', ...valueTaken],
      async run(permits, { email, groups = [], fields = {} }) {
        refuseIfOff()
        const gifts = { groups: [...new Set(groups)], fields }
        return shown(await invitations.byOperator(email, gifts, permitBy(permits)))
      },
    }),

    'invitations.resend': operation({
      ...CHANGE,
      method: 'POST',
      path: 'invitations/:id/resend/',
      summary: 'Mail an invitation again, with a new link',
      input: { id: id() },
      output: Shown,
      refusals: [
        'invitations_off',
        'mail_limit_reached',
        'user_not_active',
        emailTaken,
        ...valueTaken,
      ],
      async run(permits, { id }) {
        refuseIfOff()
        return shown(await invitations.resend(id, permitBy(permits)))
      },
    }),

    'invitations.revoke': operation({
      ...CHANGE,
      method: 'DELETE',
      path: 'invitations/:id/',
      summary: 'Revoke an invitation; its link no longer works',
      input: { id: id() },
      output: null,
      run: async (permits, { id }) => invitations.revoke(id, permitBy(permits)),
    }),
  }
}
