import { parseAst } from 'rolldown/parseAst'

/**
 * @typedef {{ id: number, line: number, was: string, is: string }} Mutant
 * @typedef {{ start: number, end: number, was: string, is: string, before: (call: string) => string, after: string }} Change
 */

/** The name of the function that says whether a mutant is awake. */
export const IS_AWAKE = '__isAwake'
/** The names of variables whose value changes when older queries, or older servers, must not be used. */
export const ROUND = '__round'
export const ROUND_OF_SERVERS = '__roundOfServers'
/** The name of a variable that is true while a server is made. */
export const IS_MAKING = '__isMakingServer'

const OPPOSITES = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
}

/** Steps of a query without which it finds or changes more than it should. */
const STEPS_OF_QUERIES = new Set(['where', 'on', 'onRef', 'forUpdate', 'onConflict'])

/**
 * Puts every mutant of a source into it, asleep. One loaded program can then try all of them in turn.
 * `nextId` numbers them across files.
 * @param {string} source
 * @param {number} nextId
 * @returns {{ code: string, mutants: Mutant[] }}
 */
export function withMutants(source, nextId) {
  const changes = [...changesIn(parseAst(source, { lang: 'ts' }), source)]
  const mutants = []
  const insertions = []
  for (const { start, end, was, is, before, after } of changes) {
    const id = nextId + mutants.length
    const line = source.slice(0, start).split('\n').length
    mutants.push({ id, line, was: onOneLine(was), is: onOneLine(is) })
    insertions.push({ at: start, text: before(`${IS_AWAKE}(${id})`), far: end, opens: true })
    insertions.push({ at: end, text: after, far: start, opens: false })
  }
  return { code: insert(source, insertions), mutants }
}

const onOneLine = (text) => text.replace(/\s+/g, ' ')

/** Outer changes open first and close last. */
function insert(source, insertions) {
  const inOrder = insertions
    .map((one, order) => ({ ...one, order }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        Number(a.opens) - Number(b.opens) ||
        b.far - a.far ||
        (a.opens ? a.order - b.order : b.order - a.order),
    )
  let code = ''
  let done = 0
  for (const { at, text } of inOrder) {
    code += source.slice(done, at) + text
    done = at
  }
  return code + source.slice(done)
}

/** @returns {Generator<Change>} */
function* changesIn(node, source, parent = null, isInFunction = false) {
  // Nothing of a type is left at run time.
  if (/^TS(?!AsExpression|NonNull|Satisfies)/.test(node.type)) return
  // What runs only while the file loads cannot wake up later.
  if (isInFunction && !isLoopTest(node, parent)) yield* changesOf(node, source, parent)
  const isIn = isInFunction || /Function/.test(node.type)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'returnType') continue
    for (const child of [value].flat()) {
      if (child && typeof child.type === 'string') yield* changesIn(child, source, node, isIn)
    }
  }
}

/** A loop that does not end can be stopped by nobody. */
const isLoopTest = (node, parent) =>
  /^(For|While|DoWhile)Statement$/.test(parent?.type) && parent.test === node

const isCondition = (node, parent) =>
  /^(If|Conditional)(Statement|Expression)$/.test(parent?.type) && parent.test === node

const throwsOnly = ({ type, body }) =>
  type === 'ThrowStatement' || (body?.length === 1 && throwsOnly(body[0]))

function* changesOf(node, source, parent) {
  const text = (part) => source.slice(part.start, part.end)
  const place = { start: node.start, end: node.end, was: text(node) }
  const instead = (is) => ({
    ...{ ...place, is },
    before: (call) => `(${call} ? (${is}) : (`,
    after: '))',
  })
  const without = () => ({
    ...{ ...place, is: '' },
    before: (call) => `{ if (!${call}) `,
    after: ' }',
  })

  if (isCondition(node, parent)) {
    yield instead('true')
    // To throw nothing is a mutant of its own.
    if (!throwsOnly(parent.consequent)) yield instead('false')
  }
  switch (node.type) {
    case 'BinaryExpression':
      if (/^[<>]/.test(node.operator) || !isCondition(node, parent)) yield* swapped(node)
      break
    case 'LogicalExpression':
      if (node.operator === '??') break
      yield instead(text(node.left))
      yield instead(text(node.right))
      break
    case 'Literal':
      if (typeof node.value === 'boolean') yield instead(String(!node.value))
      break
    case 'ThrowStatement':
      yield without()
      break
    case 'ExpressionStatement':
      if (/^(Await|Call|Assignment)Expression$/.test(node.expression.type)) yield without()
      break
    case 'CallExpression':
      if (STEPS_OF_QUERIES.has(node.callee.property?.name)) yield instead(text(node.callee.object))
      break
    default:
  }

  function* swapped({ left, operator, right }) {
    if (operator in OPPOSITES) yield instead(`${text(left)} ${OPPOSITES[operator]} ${text(right)}`)
  }
}
