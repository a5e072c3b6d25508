// Conditions of Gatus about JSON as expressions of JSONata (https://docs.jsonata.org/), for what a path and a value do not say.
import { type Condition, patternOf } from './gatus-conditions.ts'

const place = String.raw`\[BODY\]((?:\.[\w-]+|\[\d+\])+)`
const plain = new RegExp(`^${place}$`)
const length = new RegExp(`^len\\(${place}\\)$`)
const presence = new RegExp(`^has\\(${place}\\)$`)

/** The condition as an expression that gives true where it holds; null for what is about something else than the body. */
export function expressionOf({ left, operator, right }: Condition): string | null {
  const present = presence.exec(left)?.[1]
  if (present !== undefined) return presenceOf(queryOf(present), operator, right)
  const measured = length.exec(left)?.[1]
  if (measured !== undefined) return numberOf(lengthOf(queryOf(measured)), operator, right)
  const path = plain.exec(left)?.[1]
  if (path === undefined) return null
  const query = queryOf(path)
  if (operator !== '==' && operator !== '!=') return numberOf(`$number(${query})`, operator, right)
  const equal = equalityOf(`$string(${query})`, right)
  if (equal === null) return null
  return operator === '==' ? equal : `$exists(${query}) and $not(${equal})`
}

function presenceOf(query: string, operator: string, right: string): string | null {
  if ((operator !== '==' && operator !== '!=') || (right !== 'true' && right !== 'false')) return null
  return (operator === '==') === (right === 'true') ? `$exists(${query})` : `$not($exists(${query}))`
}

/** Gatus counts the entries of a list, and the characters of everything else. */
function lengthOf(query: string): string {
  return `($type(${query}) = "array" ? $count(${query}) : $length($string(${query})))`
}

const comparisons: Readonly<Record<string, string>> = {
  '==': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

function numberOf(value: string, operator: string, right: string): string | null {
  const sign = comparisons[operator]
  return sign === undefined || !/^-?\d{1,15}(?:\.\d{1,10})?$/.test(right) ? null : `${value} ${sign} ${right}`
}

function equalityOf(value: string, right: string): string | null {
  const other = plain.exec(right)?.[1]
  if (other !== undefined) return `${value} = $string(${queryOf(other)})`
  const several = /^any\((.*)\)$/s.exec(right)?.[1]
  if (several !== undefined) return `${value} in ${JSON.stringify(several.split(',').map((each) => each.trim()))}`
  const pattern = /^pat\((.*)\)$/s.exec(right)?.[1]
  if (pattern !== undefined) return `$contains(${value}, /${patternOf(pattern).replaceAll('/', '\\/')}/)`
  return /^(?:len|has)\(|^\[/.test(right) ? null : `${value} = ${JSON.stringify(right)}`
}

/** Names in backticks, so that none is taken for an operator. */
function queryOf(path: string): string {
  const query = path.replaceAll(/\.([\w-]+)/g, '.`$1`')
  return query.startsWith('.') ? query.slice(1) : `$${query}`
}
