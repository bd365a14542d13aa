import type { Url } from './facts.ts'

/**
 * How the endpoints of dj-rest-auth are found among the URL patterns of a project. Views are named without
 * their package, which is `dj_rest_auth` or `rest_auth`.
 */
const PATTERNS: readonly (readonly [endpoint: string, name: string, ...views: string[]])[] = [
  ['login/', 'rest_login', 'views.LoginView', 'rest_framework_simplejwt.views.TokenObtainPairView'],
  ['logout/', 'rest_logout', 'views.LogoutView'],
  ['user/', 'rest_user_details', 'views.UserDetailsView'],
  ['password/reset/', 'rest_password_reset', 'views.PasswordResetView'],
  ['password/reset/confirm/', 'rest_password_reset_confirm', 'views.PasswordResetConfirmView'],
  ['password/change/', 'rest_password_change', 'views.PasswordChangeView'],
  ['token/verify/', 'token_verify', 'rest_framework_simplejwt.views.TokenVerifyView'],
  ['token/refresh/', 'token_refresh', 'rest_framework_simplejwt.views.TokenRefreshView'],
  ['registration/', 'rest_register', 'registration.views.RegisterView'],
  ['registration/verify-email/', 'rest_verify_email', 'registration.views.VerifyEmailView'],
  [
    'registration/resend-email/',
    'rest_resend_email',
    'registration.views.ResendEmailVerificationView',
  ],
  ['registration/account-confirm-email/{key}/', 'account_confirm_email'],
  [
    'password/reset/confirm/{uid}/{token}/',
    'password_reset_confirm',
    'views.PasswordResetConfirmView',
  ],
  ['socialaccounts/', 'social_account_list', 'registration.views.SocialAccountListView'],
  [
    'socialaccounts/{id}/disconnect/',
    'social_account_disconnect',
    'registration.views.SocialAccountDisconnectView',
  ],
]

/** A path of the project, and our endpoint for it. */
export type Found = { readonly endpoint: string; readonly path: string }

const LOGS_IN = 'registration.views.SocialLoginView'
const CONNECTS = 'registration.views.SocialConnectView'

export function endpointsThere(urls: readonly Url[]): readonly Found[] {
  return urls.flatMap((url) => {
    const path = url.path && withOurParameters(url.path)
    if (!path) return []
    const endpoint = endpointOf(url, path)
    return endpoint ? [{ endpoint, path }] : []
  })
}

/** Whether social logins are possible, by dj-rest-auth or by the pages of allauth. */
export const hasSocialLogin = (urls: readonly Url[]): boolean =>
  urls.some(
    (url) =>
      isView(url, LOGS_IN) ||
      isView(url, CONNECTS) ||
      url.views.some((view) => view.startsWith('allauth.socialaccount.providers.')),
  )

function endpointOf(url: Url, path: string): string | null {
  // Views for social logins are derived from the view of the login.
  if (isView(url, CONNECTS)) return url.provider && `${url.provider}/connect/`
  if (isView(url, LOGS_IN)) return url.provider && `${url.provider}/`
  const parameters = parametersIn(path)
  const [known = null] =
    PATTERNS.find(
      ([endpoint, name, ...views]) =>
        parametersIn(endpoint) === parameters &&
        (url.name === name || views.some((view) => isView(url, view))),
    ) ?? []
  return known
}

const isView = ({ views }: Url, view: string): boolean =>
  views.some((one) => one === view || one === `dj_rest_auth.${view}` || one === `rest_auth.${view}`)

const NAMES: Readonly<Record<string, string>> = { uidb64: 'uid', pk: 'id' }

const withOurParameters = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => `{${NAMES[name] ?? name}}`)

const parametersIn = (path: string): string => (path.match(/\{\w+\}/g) ?? []).toSorted().join()
