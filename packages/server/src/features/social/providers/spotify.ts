import { profileOf, splitName, textAt } from '../profile.ts'
import type { Provider } from './provider.ts'

/** The address is not verified, as Spotify itself warns. */
export const spotify: Provider = {
  id: 'spotify',
  title: 'Spotify',
  scopes: ['user-read-email'],
  site: {
    issuers: ['https://accounts.spotify.com'],
    endpoints: {
      authorize: 'https://accounts.spotify.com/authorize',
      token: 'https://accounts.spotify.com/api/token',
      profile: 'https://api.spotify.com/v1/me',
    },
  },
  clientAuth: 'client_secret_basic',
  tokenCheck: null,
  readProfile: (user) =>
    profileOf({
      subject: textAt(user, 'id'),
      email: textAt(user, 'email'),
      verified: false,
      names: [textAt(user, 'display_name')],
      ...splitName(textAt(user, 'display_name')),
    }),
}
