/** What no body may contain, whatever the request was. */
const LEAKS = [
  ['a stack', /\n\s+at .+:\d+:\d+/],
  ['a path of a file', /(?:node_modules|\/dist\/|\/src\/)[\w/.-]*\.[jt]s|file:\/\/\/(?!etc)/],
  [
    'SQL',
    /\b(?:select .{1,80} from|insert into|delete from|update \w+ set|SQLITE_|relation "|violates)\b/i,
  ],
  [
    'an error of the program',
    /\b(?:TypeError|ReferenceError|RangeError|ECONNRE|ENOENT|EACCES|Cannot read prop)/,
  ],
]

/** Returns what is wrong with an answer, or null. */
export function faultOf({ status, text }, folder) {
  if (status === 'late') return 'no answer'
  if (status === 'lost') return 'a lost connection'
  if (status >= 500) return `${status}`
  if (text.includes(folder)) return 'a path of this machine'
  return LEAKS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/** How much the memory has grown between the second and the last fifth of the samples, in MB. */
export function growthOf(samples) {
  const fifth = Math.floor(samples.length / 5)
  const early = median(samples.slice(fifth, 2 * fifth))
  const late = median(samples.slice(-fifth))
  return Math.round((late - early) / 2 ** 20)
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
