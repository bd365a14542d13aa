const AUTHORITY = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is
const HOSTS = /(?:\[[^\]]*\]|[^,[\]])+/g

/**
 * One URL for each host of `postgres://user:password@a:5432,b:5432/database`, which `URL` cannot
 * read. Returns an empty list if the text is no such URL.
 */
export function hostUrls(url: string): string[] {
  const [, scheme, user = '', hosts = '', rest = ''] = AUTHORITY.exec(url) ?? []
  if (scheme === undefined) return []
  const names = hosts.includes(',') ? namesIn(hosts) : [hosts]
  const urls = names.map((host) => `${scheme}${user}${host}${rest}`)
  return urls.every((one) => URL.canParse(one)) ? urls : []
}

/** An empty name, as in `a,,b`, is a mistake. */
function namesIn(hosts: string): string[] {
  const names = hosts.match(HOSTS) ?? []
  return names.join() === hosts ? names : [' ']
}
