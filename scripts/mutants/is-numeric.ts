import type { ESTree } from 'vite'

export type Operand = ESTree.Expression | ESTree.PrivateIdentifier

const arithmetic = new Set(['-', '*', '/', '%', '**', '<<', '>>', '>>>', '&', '|', '^'])
const counting = new Set(['length', 'size', 'byteLength'])
const countingCalls = new Set(['getTime', 'indexOf'])
/** The last word of a name is its unit (STYLE.md). */
const unit =
  /(?:^|[a-z])(?:Ms|Seconds|Minutes|Hours|Days|Bytes|Cents|Count|Index|Offset)$|^(?:ms|seconds|minutes|hours|days|bytes|cents|count|index|offset|total|sum)$/

/** Whether an operand or a sum is a number by its looks, because types are not read: no text is taken for one. */
export function isNumeric(node: Operand): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number'
  if (node.type === 'BinaryExpression') {
    if (arithmetic.has(node.operator)) return true
    return node.operator === '+' && !isText(node) && (isNumeric(node.left) || isNumeric(node.right))
  }
  if (node.type === 'Identifier') return unit.test(node.name)
  if (node.type === 'MemberExpression') return counting.has(nameOf(node.property)) || unit.test(nameOf(node.property))
  return node.type === 'CallExpression' && isNumericCall(node)
}

function isNumericCall({ callee }: ESTree.CallExpression): boolean {
  if (callee.type !== 'MemberExpression') return nameOf(callee) === 'Number'
  return nameOf(callee.object) === 'Math' || countingCalls.has(nameOf(callee.property))
}

/** A sum is a text as soon as one part of it is. */
function isText(node: Operand): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string'
  if (node.type === 'BinaryExpression') return node.operator === '+' && (isText(node.left) || isText(node.right))
  return node.type === 'TemplateLiteral'
}

/** Empty for what has none. */
export function nameOf(node: { type: string; name?: unknown }): string {
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : ''
}
