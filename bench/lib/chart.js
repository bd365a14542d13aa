// Draws the results as bars, for a light and for a dark page.
import { ENGINES } from './tables.js'

const THEMES = {
  '.svg': {
    paper: '#ffffff',
    text: '#1f2328',
    faint: '#d1d9e0',
    bars: ['#8c959f', '#0969da', '#1a7f37'],
  },
  '-dark.svg': {
    paper: '#0d1117',
    text: '#e6edf3',
    faint: '#30363d',
    bars: ['#6e7681', '#4493f8', '#3fb950'],
  },
}
const WIDTH = 860
const LEFT = 250
const RIGHT = 90
const BAR = 14
const GAP = 12

const NAMES = {
  userByToken: 'user/ by token',
  userBySession: 'user/ by session',
  userByJwt: 'user/ by JWT',
  tokenVerify: 'token/verify/',
  tokenVerifyNew: 'token/verify/, each token once',
  tokenRefresh: 'token/refresh/, rotated',
}

/** File ending → SVG. Nothing if there is nothing to draw. */
export function drawCharts(results) {
  const panels = panelsOf(results)
  if (panels.length === 0) return {}
  return Object.fromEntries(
    Object.entries(THEMES).map(([suffix, theme]) => [suffix, draw(panels, footOf(results), theme)]),
  )
}

function panelsOf({ floors = {}, peers }) {
  const ofEngine = Object.entries(floors).map(([engine, { cases }]) => ({
    title: `CPU time per request, ${ENGINES[engine]} (µs, less is better)`,
    series: ['bare node:http', 'Latchkey'],
    groups: Object.entries(cases)
      .filter(([, { floor }]) => floor)
      .map(([name, { floor, latchkey }]) => ({
        label: NAMES[name],
        values: [floor.cpu, latchkey.cpu],
      })),
  }))
  const words = { session: 'Get session', signIn: 'Sign in', signUp: 'Sign up' }
  const ofPeers = Object.entries(peers ?? {}).map(([name, measured]) => ({
    title: `${words[name]}: CPU time per request (${name === 'session' ? 'µs' : 'ms'}, less is better)`,
    series: [],
    groups: Object.entries(measured).map(([peer, { cpu }]) => ({
      label: peer,
      values: [null, name === 'session' ? cpu : cpu / 1000],
      isOther: !peer.startsWith('latchkey'),
    })),
  }))
  return [...ofEngine, ...ofPeers]
}

const footOf = ({ taken }) =>
  `${taken.at.slice(0, 10)} · Node ${taken.node.slice(1)} · ${taken.cores} cores, ${taken.cpu}, ${taken.platform} · npm run bench`

function draw(panels, foot, theme) {
  const parts = []
  let y = 12
  for (const panel of panels) y = drawPanel(panel, y, theme, parts)
  const height = y + 24
  parts.push(text(20, height - 14, foot, { theme, size: 11 }))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" role="img" aria-label="Results of the benchmark">
<rect width="${WIDTH}" height="${height}" fill="${theme.paper}"/>
${parts.join('\n')}
</svg>
`
}

/** Returns where the next panel begins. */
function drawPanel({ title, series, groups }, top, theme, parts) {
  const most = Math.max(...groups.flatMap(({ values }) => values))
  const scale = (WIDTH - LEFT - RIGHT) / most
  parts.push(text(20, top + 16, title, { theme, weight: 600, size: 14 }))
  let legendAt = LEFT + 300
  for (const [index, name] of series.entries()) {
    parts.push(bar(legendAt, top + 6, 12, 12, theme.bars[index]))
    parts.push(text(legendAt + 18, top + 16, name, { theme }))
    legendAt += 130
  }
  let y = top + 32
  for (const { label, values, isOther } of groups) {
    const shown = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]))
    parts.push(text(LEFT - 10, y + (shown.length * BAR) / 2 + 4, label, { theme, anchor: 'end' }))
    for (const { value, index } of shown) {
      parts.push(bar(LEFT, y, value * scale, BAR - 2, theme.bars[isOther ? 0 : index]))
      const amount = value < 10 ? value.toFixed(1) : String(Math.round(value))
      parts.push(text(LEFT + value * scale + 6, y + 10, amount, { theme, size: 11 }))
      y += BAR
    }
    y += GAP - 4
  }
  parts.push(`<path d="M${LEFT} ${top + 28}V${y}" stroke="${theme.faint}"/>`)
  return y + 20
}

const escaped = (words) => words.replace(/&/g, '&amp;').replace(/</g, '&lt;')

function text(x, y, words, { theme, anchor = 'start', size = 12, weight = 400 }) {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${theme.text}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}">${escaped(words)}</text>`
}

function bar(x, y, width, height, fill) {
  return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(1, width).toFixed(1)}" height="${height}" rx="2" fill="${fill}"/>`
}
