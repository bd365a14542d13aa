import type { Url } from './facts.ts'

type Pattern = {
  /** Our path for it, below the prefix. */
  readonly endpoint: string
  readonly names: readonly string[]
  /** Without the package, which is `dj_rest_auth` or `rest_auth`. */
  readonly views: readonly string[]
}

/** How the endpoints of dj-rest-auth are found among the URL patterns of a project. */
const PATTERNS: readonly Pattern[] = [
  {
    endpoint: 'login/',
    names: ['rest_login'],
    views: ['views.LoginView', 'rest_framework_simplejwt.views.TokenObtainPairView'],
  },
  { endpoint: 'logout/', names: ['rest_logout'], views: ['views.LogoutView'] },
  { endpoint: 'user/', names: ['rest_user_details'], views: ['views.UserDetailsView'] },
  {
    endpoint: 'password/reset/',
    names: ['rest_password_reset'],
    views: ['views.PasswordResetView'],
  },
  {
    endpoint: 'password/reset/confirm/',
    names: ['rest_password_reset_confirm'],
    views: ['views.PasswordResetConfirmView'],
  },
  {
    endpoint: 'password/change/',
    names: ['rest_password_change'],
    views: ['views.PasswordChangeView'],
  },
  {
    endpoint: 'token/verify/',
    names: ['token_verify'],
    views: ['rest_framework_simplejwt.views.TokenVerifyView'],
  },
  {
    endpoint: 'token/refresh/',
    names: ['token_refresh'],
    views: ['rest_framework_simplejwt.views.TokenRefreshView'],
  },
  {
    endpoint: 'registration/',
    names: ['rest_register'],
    views: ['registration.views.RegisterView'],
  },
  {
    endpoint: 'registration/verify-email/',
    names: ['rest_verify_email'],
    views: ['registration.views.VerifyEmailView'],
  },
  {
    endpoint: 'registration/resend-email/',
    names: ['rest_resend_email'],
    views: ['registration.views.ResendEmailVerificationView'],
  },
  {
    endpoint: 'registration/account-confirm-email/{key}/',
    names: ['account_confirm_email'],
    views: [],
  },
  {
    endpoint: 'password/reset/confirm/{uid}/{token}/',
    names: ['password_reset_confirm'],
    views: ['views.PasswordResetConfirmView'],
  },
  {
    endpoint: 'socialaccounts/',
    names: ['social_account_list'],
    views: ['registration.views.SocialAccountListView'],
  },
  {
    endpoint: 'socialaccounts/{id}/disconnect/',
    names: ['social_account_disconnect'],
    views: ['registration.views.SocialAccountDisconnectView'],
  },
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
  const known = PATTERNS.find(
    ({ endpoint, names, views }) =>
      parametersIn(endpoint) === parameters &&
      (names.includes(url.name) || views.some((view) => isView(url, view))),
  )
  return known?.endpoint ?? null
}

const isView = ({ views }: Url, view: string): boolean =>
  views.some((one) => one === view || one === `dj_rest_auth.${view}` || one === `rest_auth.${view}`)

const NAMES: Readonly<Record<string, string>> = { uidb64: 'uid', pk: 'id' }

const withOurParameters = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => `{${NAMES[name] ?? name}}`)

const parametersIn = (path: string): string => (path.match(/\{\w+\}/g) ?? []).toSorted().join()
