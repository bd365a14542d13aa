import { account } from './account.ts'
import { browser } from './browser.ts'
import { drfJwt } from './drf-jwt.ts'
import { languages } from './languages.ts'
import { mail } from './mail.ts'
import type { Mapping } from './mapping.ts'
import { mfa } from './mfa.ts'
import { modules } from './modules.ts'
import { place } from './place.ts'
import { rateLimits } from './rate-limits.ts'
import { restAuth } from './rest-auth.ts'
import { restFramework } from './rest-framework.ts'
import { security } from './security.ts'
import { serializers } from './serializers.ts'
import { signupFields } from './signup-fields.ts'
import { simpleJwt } from './simple-jwt.ts'
import { type ProviderCheck, socialAccount } from './socialaccount.ts'
import { version } from './version.ts'

/** All known settings of a Django project. If two mean the same, the first one counts. */
export const mappings = (check: ProviderCheck): readonly Mapping[] => [
  ...restAuth,
  ...version,
  ...serializers,
  ...simpleJwt,
  ...drfJwt,
  ...account,
  ...signupFields,
  ...rateLimits,
  ...socialAccount(check),
  ...mfa,
  ...restFramework,
  ...security,
  ...browser,
  ...mail,
  ...languages,
  ...modules,
  ...place(check),
]

/**
 * An unknown key of these groups gets a note. An unknown name outside of them may be the project's
 * own, even if it begins like one of allauth.
 */
export const isInAGroup = (name: string): boolean => /^(?:REST_AUTH|SIMPLE_JWT)\./.test(name)
