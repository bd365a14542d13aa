import { at, profileOf, splitName, textAt } from '../profile.ts'
import { namedAt, type Provider, withBearer } from './provider.ts'

export const discord: Provider = {
  id: 'discord',
  title: 'Discord',
  scopes: ['identify', 'email'],
  site: {
    issuers: ['https://discord.com'],
    endpoints: {
      authorize: 'https://discord.com/oauth2/authorize',
      token: 'https://discord.com/api/oauth2/token',
      profile: 'https://discord.com/api/users/@me',
      tokenCheck: 'https://discord.com/api/oauth2/@me',
    },
  },
  clientAuth: 'client_secret_post',
  tokenCheck: {
    request: withBearer,
    read: namedAt(['application', 'id'], ['user', 'id']),
  },
  readProfile: (user) =>
    profileOf({
      subject: textAt(user, 'id'),
      email: textAt(user, 'email'),
      verified: at(user, 'verified'),
      names: [textAt(user, 'username')],
      ...splitName(textAt(user, 'global_name')),
    }),
}
