/** Languages that are usually written from right to left. */
const LANGUAGES = new Set(
  'ar arc ary arz azb bal ckb dv fa glk he ks lrc mzn nqo pnb ps sd skr syr ug ur yi'.split(' '),
)
const SCRIPTS = new Set(['adlm', 'arab', 'hebr', 'nkoo', 'rohg', 'syrc', 'thaa'])

export function directionOf(language: string): 'ltr' | 'rtl' {
  const [name = '', ...subtags] = language.toLowerCase().split('-')
  // Some languages are written in several scripts. Of all subtags only a script has four letters.
  const script = subtags.find((subtag) => /^[a-z]{4}$/.test(subtag))
  const isRtl = script === undefined ? LANGUAGES.has(name) : SCRIPTS.has(script)
  return isRtl ? 'rtl' : 'ltr'
}
