import {
  type PasswordHasherName,
  passwordHasherNames,
} from '../../crypto/password-hash/password-hasher.ts'
import { list } from '../../kernel/setting-kinds/compounds.ts'
import { choice } from '../../kernel/setting-kinds/scalars.ts'

/** Django's names of the hashers, so that the list of a Django project works unchanged. */
const DJANGO_CLASSES = {
  'django.contrib.auth.hashers.Argon2PasswordHasher': 'argon2',
  'django.contrib.auth.hashers.PBKDF2PasswordHasher': 'pbkdf2_sha256',
  'django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher': 'pbkdf2_sha1',
  'django.contrib.auth.hashers.BCryptSHA256PasswordHasher': 'bcrypt_sha256',
  'django.contrib.auth.hashers.BCryptPasswordHasher': 'bcrypt',
  'django.contrib.auth.hashers.ScryptPasswordHasher': 'scrypt',
} as const satisfies Readonly<Record<string, PasswordHasherName>>

export const passwordHashers = list(choice(passwordHasherNames, DJANGO_CLASSES), { least: 1 })
