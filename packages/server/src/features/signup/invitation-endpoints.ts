import * as Type from '@sinclair/typebox'
import { type Endpoint, endpoint, forUsers } from '../../http/endpoint.ts'
import { email } from '../../http/fields.ts'
import { idIn } from '../../http/request.ts'
import { type Invitations, shownFields, shownInvitation } from './invitations.ts'
import type { Signup } from './signup.ts'

const Shown = Type.Object(shownFields, { $id: 'Invitation' })

const common = { ...forUsers, freshness: 'not-needed' } as const

type Needs = { invitations: Invitations; signup: Signup }

/** For users who may invite others. */
export const invitationEndpoints = ({ invitations, signup }: Needs): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    path: 'invitations/',
    operationId: 'listInvitations',
    summary: 'The open invitations of the user, newest first',
    replies: { 200: Type.Array(Shown) },
    handle: async ({ identity }) => (await invitations.ofUser(identity.user)).map(shownInvitation),
  }),
  endpoint({
    ...common,
    method: 'POST',
    path: 'invitations/',
    operationId: 'invite',
    summary: 'Mail an invitation to an address, if it has no account yet',
    body: { email: email() },
    replies: { 201: Shown },
    faults: { email: ['email_not_allowed'] },
    refusals: ['verify_email_first'],
    check: async ({ body }) => (body.email ? signup.check(body.email) : {}),
    handle: async ({ identity, body }) =>
      shownInvitation(await invitations.byUser(identity, body.email)),
  }),
  endpoint({
    ...common,
    method: 'POST',
    path: 'invitations/:id/resend/',
    operationId: 'resendInvitation',
    summary: 'Mail an invitation again, with a new link',
    replies: { 200: Shown },
    refusals: ['verify_email_first'],
    handle: async ({ identity, params }) =>
      shownInvitation(await invitations.resendByUser(identity, idIn(params))),
  }),
  endpoint({
    ...common,
    method: 'DELETE',
    path: 'invitations/:id/',
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation; its link no longer works',
    replies: { 204: null },
    handle: async ({ identity, params }) => invitations.revokeByUser(identity.user, idIn(params)),
  }),
]
