import { profileOf, splitName, textAt } from '../profile.ts'
import type { Provider } from './provider.ts'

/** X. The profile has an address (`confirmed_email`), but does not say who verified it and when. */
export const twitter: Provider = {
  id: 'twitter',
  title: 'X',
  scopes: ['users.read', 'tweet.read', 'users.email'],
  site: {
    issuers: ['https://x.com'],
    endpoints: {
      authorize: 'https://x.com/i/oauth2/authorize',
      token: 'https://api.x.com/2/oauth2/token',
      profile: 'https://api.x.com/2/users/me?user.fields=confirmed_email',
    },
  },
  clientAuth: 'client_secret_basic',
  tokenCheck: null,
  readProfile: (user) =>
    profileOf({
      subject: textAt(user, 'data', 'id'),
      email: textAt(user, 'data', 'confirmed_email'),
      verified: false,
      names: [textAt(user, 'data', 'username')],
      ...splitName(textAt(user, 'data', 'name')),
    }),
}
