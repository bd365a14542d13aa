const AUTHORITY = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is
const SINGLE_PERCENT = /%(?![0-9a-f]{2})/gi
const HOSTS = /(?:\[[^\]]*\]|[^,[\]])+/g

/**
 * One URL for each host of `postgres://user:password@a:5432,b:5432/database`, which `URL` cannot
 * read. Returns an empty list if the text is no such URL. Encodes spaces, and each `%` that encodes
 * nothing: the driver would encode the whole URL for them, and change the password with it.
 */
export function hostUrls(url: string): string[] {
  const [, scheme, user = '', hosts = '', rest = ''] = AUTHORITY.exec(url) ?? []
  if (scheme === undefined) return []
  const names = hosts.includes(',') ? namesIn(hosts) : [hosts]
  // `URL` refuses a user without a host, as in `postgres://user@/database?host=/run/postgresql`.
  const urls = names.map((host) => `${scheme}${user}${host || (user && 'localhost')}${rest}`)
  if (!urls.every((one) => URL.canParse(one))) return []
  return urls.map((one) => new URL(one.replace(SINGLE_PERCENT, '%25')).href)
}

/** An empty name, as in `a,,b`, is a mistake. */
function namesIn(hosts: string): string[] {
  const names = hosts.match(HOSTS) ?? []
  return names.join() === hosts ? names : [' ']
}
