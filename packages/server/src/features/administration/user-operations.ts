import { type BodyOf, email, optional, password, text, username } from '../../http/fields.ts'
import { language } from '../../http/language-field.ts'
import type { Pk } from '../../kernel/ids.ts'
import { NAME_MAX, PASSWORD_MAX } from '../../kernel/lengths.ts'
import { fieldProblem, type PlainProblemCode, problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToAccount } from '../account/feature.ts'
import { possiblePasswordFaults } from '../passwords/password-rules.ts'
import { notUnique, uniqueNames } from '../users/user-fields.ts'
import type { PersonalDetails } from '../users/user-values.ts'
import type { AccountChanges } from './account-changes.ts'
import type { Actor } from './actor.ts'
import type { AnswerAccount } from './answer-account.ts'
import { changesBy } from './changes.ts'
import { flag, groups, ownFields, pk } from './fields-of-operations.ts'
import type { FindTarget } from './find-operations.ts'
import { operation } from './operation.ts'
import { CHANGE, OWN_CHANGE } from './permits.ts'
import type { Ruled } from './rules.ts'

type Needs = UpToAccount & { answerAccount: AnswerAccount; findTarget: FindTarget }
type Changes = ReturnType<typeof changesBy>

type Work = {
  summary: string
  refusals?: readonly PlainProblemCode[]
  work(changes: Changes, user: User): Promise<unknown>
}

const LOGIN_ID_MAX = 64

export function userOperations(house: Needs) {
  const { users, userFields, passwordRules, answerAccount, findTarget, host } = house
  const details = detailsOf(house)
  /** A value that another user has is refused under its own name, not under `fields`. */
  const valueTaken = notUnique(uniqueNames(userFields.declared))

  /** Changes the user with this pk, and returns them as they are afterwards. */
  async function changed(
    actor: Actor,
    key: Pk | null,
    work: (changes: Changes, user: User) => Promise<unknown>,
  ) {
    const user = await findTarget(key)
    await work(changesBy(actor, house), user)
    return answerAccount.one((await users.findById(user.id)) ?? user)
  }

  /** Commands and the host may set any password: they could change the database anyway. */
  async function refuseWeak({ may }: Actor, password: string, details: PersonalDetails) {
    const faults = may === 'all' ? [] : await passwordRules(password, details)
    if (faults.length > 0) throw fieldProblem({ password: faults })
  }

  const at = (verb: string) =>
    ({
      method: 'POST',
      path: `users/:pk/${verb}/`,
      actsOn: 'user',
      output: answerAccount.schema,
    }) as const

  /** A change of one user that needs no further input. */
  const onUser = (rule: Ruled, verb: string, { work, ...rest }: Work) =>
    operation({
      ...rule,
      ...at(verb),
      ...rest,
      input: { pk: pk() },
      run: (actor, input) => changed(actor, input.pk, work),
    })

  return {
    'users.create': operation({
      ...CHANGE,
      method: 'POST',
      path: 'users/',
      summary: 'Create a user',
      actsOn: null,
      input: {
        username: username(),
        password: optional(password({ max: PASSWORD_MAX })),
        active: optional(flag()),
        ...details,
      },
      output: answerAccount.schema,
      faults: {
        username: ['username_taken'],
        email: ['email_taken'],
        password: possiblePasswordFaults(host),
      },
      refusals: valueTaken,
      async run(actor, { username, password, ...input }) {
        const { email = '' } = input
        const names = namesIn(input)
        if (password !== undefined) await refuseWeak(actor, password, { username, email, ...names })
        const user = await changesBy(actor, house).create({
          username,
          password: password ?? null,
          email,
          verified: input.verified ?? false,
          active: input.active ?? true,
          names,
          ...standingIn(input),
          values: input.fields ?? {},
        })
        return answerAccount.one(user)
      },
    }),

    'users.update': operation({
      ...OWN_CHANGE,
      method: 'PATCH',
      path: 'users/:pk/',
      summary: 'Change names, flags, groups, fields or the address of a user',
      actsOn: 'user',
      input: { pk: pk(), username: optional(username()), ...details },
      output: answerAccount.schema,
      faults: { username: ['username_taken'], email: ['email_taken'] },
      refusals: valueTaken,
      run: (actor, input) =>
        changed(actor, input.pk, (changes, user) => changes.set(user, changesIn(input))),
    }),

    'users.delete': operation({
      ...CHANGE,
      method: 'DELETE',
      path: 'users/:pk/',
      summary: 'Delete a user and all their data',
      actsOn: 'user',
      input: { pk: pk() },
      output: null,
      async run(actor, input) {
        const isDeleted = await changesBy(actor, house).remove(await findTarget(input.pk))
        if (!isDeleted) throw problem('not_found')
      },
    }),

    'users.deactivate': onUser(CHANGE, 'deactivate', {
      summary: 'Log a user out everywhere, and refuse further logins',
      work: (changes, user) => changes.deactivate(user),
    }),

    'users.activate': onUser(CHANGE, 'activate', {
      summary: 'Allow a user to log in',
      work: (changes, user) => changes.activate(user),
    }),

    'users.markVerified': onUser(CHANGE, 'mark-verified', {
      summary: 'Treat the address of a user as verified',
      refusals: ['user_without_address'],
      work: (changes, user) => changes.markVerified(user),
    }),

    'users.resetMfa': onUser(CHANGE, 'reset-mfa', {
      summary:
        'Reset the second factor of a user who has lost it: the app with its codes, or an operator’s passkeys',
      work: (changes, user) => changes.resetMfa(user),
    }),

    'users.sendReset': onUser(OWN_CHANGE, 'send-reset', {
      summary: 'Mail a link with which the user can set a new password',
      refusals: ['user_without_address', 'user_not_active', 'mail_limit_reached'],
      work: (changes, user) => changes.sendReset(user),
    }),

    'users.setPassword': operation({
      ...CHANGE,
      ...at('set-password'),
      summary: 'Set a new password, and log the user out everywhere',
      input: { pk: pk(), password: password({ max: PASSWORD_MAX }) },
      faults: { password: possiblePasswordFaults(host) },
      run: (actor, input) =>
        changed(actor, input.pk, async (changes, user) => {
          await refuseWeak(actor, input.password, user)
          await changes.setPassword(user, input.password)
        }),
    }),

    'users.endLogins': operation({
      ...OWN_CHANGE,
      ...at('end-logins'),
      summary: 'End one login of a user, or all logins and the token',
      input: { pk: pk(), id: optional(text({ max: LOGIN_ID_MAX })) },
      run: (actor, { pk: key, id }) =>
        changed(actor, key, async (changes, user) => {
          if (id === undefined) return changes.revoke(user)
          if (!(await changes.endLogin(user, id))) throw problem('not_found')
        }),
    }),

    'users.export': operation({
      ...OWN_CHANGE,
      method: 'GET',
      path: 'users/:pk/export/',
      summary: 'Everything that is stored about a user',
      actsOn: 'user',
      input: { pk: pk() },
      output: house.dossier.schema,
      run: async (actor, input) => changesBy(actor, house).export(await findTarget(input.pk)),
    }),
  }
}

/** The fields of a new user that an operator can also change later. */
const detailsOf = ({ userFields, languages }: Needs) => ({
  email: optional(email({ mayBeBlank: true })),
  verified: optional(flag()),
  first_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
  last_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
  language: optional(language(languages.offered)),
  is_staff: optional(flag()),
  is_superuser: optional(flag()),
  groups: optional(groups()),
  fields: ownFields(userFields.declared),
})

type Given = Partial<BodyOf<ReturnType<typeof detailsOf>> & { username: string | undefined }>

const namesIn = ({ username, first_name, last_name, language }: Given) => ({
  ...(username !== undefined && { username }),
  ...(first_name !== undefined && { first_name }),
  ...(last_name !== undefined && { last_name }),
  ...(language !== undefined && { language }),
})

const standingIn = ({ is_staff, is_superuser, groups }: Given) => ({
  ...(is_staff !== undefined && { isStaff: is_staff }),
  ...(is_superuser !== undefined && { isSuperuser: is_superuser }),
  ...(groups && { groups: [...new Set(groups)] }),
})

const changesIn = ({ email, verified, ...input }: Given): AccountChanges => ({
  names: namesIn(input),
  ...((email !== undefined || verified !== undefined) && {
    address: { ...(email !== undefined && { email }), ...(verified !== undefined && { verified }) },
  }),
  ...standingIn(input),
  values: input.fields ?? {},
})
