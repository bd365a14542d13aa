/** What marks the beginning and the end of a pattern. */
const ANCHORS = /\^|\$$|\\Z$|\\A/g
const GROUP = /\(\?P<(\w+)>(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()[\\])*\)/g
const CONVERTER = /<(?:\w+:)?(\w+)>/g
const PLAIN = /^\/(?:[\w.~-]+\/|\{\w+\}\/)*$/

/**
 * The path of a URL pattern of Django, of both kinds: `auth/<key>/` and `^auth/(?P<key>[-:\w]+)/$`.
 * Null if the pattern is not one path with parameters.
 */
export function pathOf(pattern: string): string | null {
  const path = pattern
    .replace(ANCHORS, '')
    .replace(GROUP, '{$1}')
    .replace(CONVERTER, '{$1}')
    .replace(/\\([./_~-])/g, '$1')
    .replace(/\/\?$/, '/')
  const whole = `/${path}/`.replace(/\/+/g, '/')
  return PLAIN.test(whole) ? whole : null
}
