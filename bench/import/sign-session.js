import { createHash, createHmac } from 'node:crypto'

const SALT = 'django.contrib.sessions.SessionStore'
const PURPOSE = 'django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash'
const keyOf = (purpose, secret) => createHash('sha256').update(`${purpose}${secret}`).digest()

/** Signs sessions as Django does, from the formats alone. */
export function createSignSession(secret, passwordHash) {
  const signer = keyOf(`${SALT}signer`, secret)
  const hash = createHmac('sha256', keyOf(PURPOSE, secret)).update(passwordHash).digest('hex')
  return (userId) => {
    const content = {
      _auth_user_id: String(userId),
      _auth_user_backend: 'django.contrib.auth.backends.ModelBackend',
      _auth_user_hash: hash,
    }
    const data = `${Buffer.from(JSON.stringify(content)).toString('base64url')}:1vJtEv`
    return `${data}:${createHmac('sha256', signer).update(data).digest('base64url')}`
  }
}
