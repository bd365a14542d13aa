import * as Type from '@sinclair/typebox'
import { orNull } from '../../core/schemas.ts'
import { type Endpoint, endpoint, forUsers, telling } from '../../http/endpoint.ts'
import { email, optional, password } from '../../http/fields.ts'
import { wordsOfHost } from '../../http/refusals.ts'
import { fault } from '../../kernel/problems.ts'
import type { UpToRegistration } from '../registration/feature.ts'
import { confirmByKey } from '../registration/link-page-endpoints.ts'
import { addressFaultsOf } from '../signup/signup-endpoints.ts'
import type { AddressChanges } from './address-changes.ts'

const Address = Type.Object(
  {
    email: Type.String(),
    verified: Type.Boolean(),
    pending: orNull(Type.String()),
  },
  { $id: 'Address' },
)

export const addressEndpoints = ({
  changes,
  host,
  settings,
}: UpToRegistration & { changes: AddressChanges }): Endpoint[] => [
  endpoint({
    ...forUsers,
    method: 'GET',
    path: 'email/',
    freshness: 'not-needed',
    operationId: 'getEmail',
    summary: 'The address of the user, and the one that waits for its confirmation',
    replies: { 200: Address },
    handle: ({ identity }) => changes.show(identity.user),
  }),
  endpoint({
    ...forUsers,
    method: 'POST',
    path: 'email/change/',
    freshness: 'required-without-password',
    operationId: 'changeEmail',
    summary: 'Ask for another address; it is sent a link to confirm it',
    limit: 'verify_mail',
    body: { email: email(), password: optional(password()) },
    replies: { 200: telling('verification_sent') },
    faults: {
      email: ['own_email', ...addressFaultsOf(settings)],
      password: ['required', fault('password_invalid')],
    },
    check: ({ body, identity, turn }) => changes.check(identity.user, body, turn),
    refusals: host.changingEmail ? [wordsOfHost] : [],
    async handle({ body, identity, address, say }) {
      await changes.request(identity, body.email, address)
      return { detail: say('verification_sent') }
    },
  }),
  endpoint({
    ...forUsers,
    method: 'DELETE',
    path: 'email/change/',
    freshness: 'not-needed',
    operationId: 'cancelEmailChange',
    summary: 'Call off the change of the address',
    replies: { 204: null },
    handle: ({ identity }) => changes.cancel(identity.user),
  }),
  confirmByKey(
    {
      path: 'email/change/confirm/',
      operationId: 'confirmEmailChange',
      summary: 'Change to the new address with the key of the mail',
    },
    changes.confirm,
  ),
]
