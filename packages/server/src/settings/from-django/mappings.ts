import { account } from './account.ts'
import { browser } from './browser.ts'
import { mail } from './mail.ts'
import type { Mapping } from './mapping.ts'
import { mfa } from './mfa.ts'
import { place } from './place.ts'
import { rateLimits } from './rate-limits.ts'
import { restAuth } from './rest-auth.ts'
import { restFramework } from './rest-framework.ts'
import { security } from './security.ts'
import { serializers } from './serializers.ts'
import { signupFields } from './signup-fields.ts'
import { simpleJwt } from './simple-jwt.ts'
import { type ProviderCheck, socialAccount } from './socialaccount.ts'

/** All known settings of a Django project. If two mean the same, the first one counts. */
export const mappings = (check: ProviderCheck): readonly Mapping[] => [
  ...restAuth,
  ...serializers,
  ...simpleJwt,
  ...account,
  ...signupFields,
  ...rateLimits,
  ...socialAccount(check),
  ...mfa,
  ...restFramework,
  ...security,
  ...browser,
  ...mail,
  ...place,
]

/** Names that begin like this are about accounts, so an unknown one gets a note. */
const FAMILIES =
  /^(?:(?:REST_AUTH|SIMPLE_JWT)\.|(?:ACCOUNT|SOCIALACCOUNT|MFA|CORS|CSRF|SESSION|EMAIL|PASSWORD|HEADLESS|USERSESSIONS|REST_AUTH|JWT_AUTH)_)/

export const isOfAFamily = (name: string): boolean => FAMILIES.test(name)
