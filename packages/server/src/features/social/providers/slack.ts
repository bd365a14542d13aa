import { type Profile, readOpenIdClaims, textAt } from '../profile.ts'
import type { Provider } from './provider.ts'

export const slack: Provider = {
  id: 'slack',
  title: 'Slack',
  scopes: ['openid', 'email', 'profile'],
  site: {
    issuers: ['https://slack.com'],
    endpoints: {
      authorize: 'https://slack.com/openid/connect/authorize',
      token: 'https://slack.com/api/openid.connect.token',
      keys: 'https://slack.com/openid/connect/keys',
      profile: 'https://slack.com/api/openid.connect.userInfo',
    },
  },
  redirect: { pkce: false },
  clientAuth: 'client_secret_post',
  tokenCheck: null,
  readClaims: readSlackClaims,
  readProfile: readSlackClaims,
}

/** Slack promises unique user ids only within a workspace, so the workspace is part of the id. */
function readSlackClaims(claims: unknown): Profile {
  const team = textAt(claims, 'https://slack.com/team_id')
  const user = textAt(claims, 'https://slack.com/user_id')
  return { ...readOpenIdClaims(claims), subject: team && user ? `${team}_${user}` : null }
}
