/** What the recipe finds out beside the settings. Views are named without their package. */

type View = { path: string; name?: string; view?: string; provider?: string; callback_url?: string }

type Found = {
  version?: string | null
  urls?: readonly View[]
  user?: object
  social_signup?: boolean
}

export const found = ({ version = '7.0.1', urls = [], user, social_signup }: Found = {}) => ({
  latchkey: {
    versions: { Django: '5.2.17', 'dj-rest-auth': version, 'django-rest-auth': null },
    urls: urls.map(({ path, name = null, view, ...rest }) => ({
      provider: null,
      callback_url: null,
      ...rest,
      path,
      name,
      views: view === undefined ? [] : [`project.views.Own`, view],
    })),
    user: user ?? USER,
    social_signup: social_signup ?? null,
  },
})

const USER = {
  pk: 'BigAutoField',
  username_field: 'username',
  fields: ['id', 'password', 'username', 'email', 'first_name', 'last_name'],
}

/** `dj_rest_auth.urls`, or those of the package before it. */
export const accountUrls = (prefix: string, packageName = 'dj_rest_auth'): View[] => [
  { path: `${prefix}password/reset/`, name: 'rest_password_reset' },
  { path: `${prefix}password/reset/confirm/`, name: 'rest_password_reset_confirm' },
  { path: `${prefix}login/`, name: 'rest_login', view: `${packageName}.views.LoginView` },
  { path: `${prefix}logout/?$`, name: 'rest_logout' },
  { path: `${prefix}user/?$`, name: 'rest_user_details' },
  { path: `${prefix}password/change/`, name: 'rest_password_change' },
]

export const jwtUrls = (prefix: string): View[] => [
  { path: `${prefix}token/verify/`, name: 'token_verify' },
  { path: `${prefix}token/refresh/`, name: 'token_refresh' },
]

/** `dj_rest_auth.registration.urls` */
export const registrationUrls = (prefix: string, packageName = 'dj_rest_auth'): View[] => [
  {
    path: prefix,
    name: 'rest_register',
    view: `${packageName}.registration.views.RegisterView`,
  },
  { path: `${prefix}verify-email/`, name: 'rest_verify_email' },
  { path: `${prefix}resend-email/`, name: 'rest_resend_email' },
  {
    path: `${prefix}^account-confirm-email/(?P<key>[-:\\w]+)/$`,
    name: 'account_confirm_email',
  },
]
