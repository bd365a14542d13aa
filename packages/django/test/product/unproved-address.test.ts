import { expect, test } from 'vitest'
import {
  requestReset,
  STRONG,
  twice,
  verificationKey,
} from '../../../server/test/support/accounts.ts'
import { BY_CODE, codesIn } from '../../../server/test/support/codes.ts'
import { countRows } from '../../../server/test/support/dump.ts'
import { startHostileProvider } from '../../../server/test/support/hostile-provider.ts'
import { MFA_REQUIRED } from '../../../server/test/support/mfa.ts'
import { type StartedAuth, startAuth } from '../../../server/test/support/start-auth.ts'
import { djangoFile, importInto } from '../support/django.ts'
import { projectSql, vectors } from '../support/django-project.ts'

const OWN = 'own@example.com'
const KIM = 'kim@example.com'

/** Nobody has verified the addresses of `own`, who has an authenticator app, and of `Kim`, who has only an account at a provider. */
const SQL = `${projectSql}
update auth_user set password = '${vectors.passwordHash}' where id = 13;
insert into socialaccount_socialaccount values (2, 'idp', 'kim-there', '2029-01-01 00:00:00', '2029-01-01 00:00:00', 8, '{}');
`

async function startWithProject() {
  const idp = await startHostileProvider()
  const auth = await startAuth({ ...idp.settings(), ACCOUNT: BY_CODE })
  const source = await djangoFile(SQL)
  await importInto(auth, source.url, { table: 'auth_user', secretKeys: [vectors.secretKey] })
  const logInAtProvider = async () => {
    const id_token = await idp.idToken(auth.clock, { sub: 'kim-there' })
    const { key: token } = (await auth.request.post('idp/', { id_token })).body as { key: string }
    return (await auth.request.get('user/', { token })).body
  }
  return { ...auth, logInAtProvider }
}

type Proof = { password: string; prove(auth: StartedAuth, email: string): Promise<number> }

const proofs: Record<string, Proof> = {
  'the link to confirm it': {
    password: vectors.password,
    async prove(auth, email) {
      await auth.request.post('registration/resend-email/', { email })
      const key = await verificationKey(auth, email)
      return (await auth.request.post('registration/verify-email/', { key })).status
    },
  },
  'a login by code': {
    password: vectors.password,
    async prove(auth, email) {
      const { begin, confirm } = codesIn(auth)
      return (await confirm(await begin(email))).status
    },
  },
  'a reset': {
    password: STRONG,
    async prove(auth, email) {
      const link = await requestReset(auth, email)
      const body = { uid: link.uid, token: link.token, ...twice(STRONG) }
      return (await auth.request.post('password/reset/confirm/', body)).status
    },
  },
}

test.each(Object.entries(proofs))(
  'an address is proved here by %s: what came from Django is the owner’s, and stays',
  async (_, { password, prove }) => {
    const auth = await startWithProject()
    const { request, db, findUser, mail, logInAtProvider } = auth
    const codesBefore = await countRows(db, 'recovery_codes')
    for (const email of [OWN, KIM]) {
      expect(await prove(auth, email)).toBe(200)
      expect(await findUser(email)).toMatchObject({ email_verified: 1 })
    }
    // A mailbox alone does not open an account with a second factor.
    const login = await request.post('login/', { email: OWN, password })
    expect(login).toMatchReply(200, MFA_REQUIRED)
    expect(await countRows(db, 'recovery_codes')).toBe(codesBefore)
    expect(await logInAtProvider()).toMatchObject({ pk: 8, username: 'Kim' })
    expect(await mail.of('additions-removed')).toEqual([])
    expect(await mail.of('logins-ended')).toEqual([])
  },
)
