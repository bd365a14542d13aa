/* global SwaggerUIBundle */
// Shows the API as its document describes it. Requests go to the service that the page came from,
// whatever its public address is.

const { csrfCookie } = document.currentScript.dataset
const api = new URL('../../', document.currentScript.src)

const dark = matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followScheme)
followScheme()

fetch(new URL('openapi.json', api))
  .then((answer) => answer.json())
  .then(show)

function show(description) {
  window.SwaggerUIBundle({
    dom_id: '#api',
    spec: { ...description, servers: [{ url: api.href }], components: withoutCookies(description) },
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    // The address of a checker elsewhere.
    validatorUrl: null,
    requestInterceptor: withCsrfToken,
  })
}

/** The browser sends its cookies by itself. Nobody types them. */
function withoutCookies({ components }) {
  const typed = Object.entries(components.securitySchemes).filter(([, way]) => way.in !== 'cookie')
  return { ...components, securitySchemes: Object.fromEntries(typed) }
}

/** A login by cookie needs the token of its other cookie. */
function withCsrfToken(request) {
  const token = cookieNamed(csrfCookie)
  if (token) request.headers['X-CSRFToken'] = token
  return request
}

function cookieNamed(name) {
  const start = `${name}=`
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(start))
  return found && decodeURIComponent(found.slice(start.length))
}
