// Which changes of one token a product file has. They are read from its syntax tree, never from its text.
import { type ESTree, parseSync, Visitor } from 'vite'
import type { Mutant } from './mutant.ts'
import { isNumeric, nameOf, type Operand } from './is-numeric.ts'

interface Span {
  start: number
  end: number
}
interface Change {
  offset: number
  before: string
  after: string
}
interface Found {
  changes: Change[]
  /** In which no change counts: types, imports, messages of errors and descriptions, named numbers. */
  leftOut: Span[]
}

const otherOperators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}
const orders = new Set(['<', '<=', '>', '>='])
/** These calls take words for people; the last two describe a schema. */
const speaking = new Set(['fail', 'describe', 'meta'])

/** In the order of the source. */
export function makeMutants(file: string, source: string): Mutant[] {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message ?? ''}`)
  const code = withoutComments(source, comments)
  const found: Found = { changes: [], leftOut: [] }
  new Visitor(changes(found, code)).visit(program)
  new Visitor(leavingOut(found, code)).visit(program)
  return found.changes
    .filter(({ offset }) => !found.leftOut.some(({ start, end }) => offset >= start && offset < end))
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, before, after }) => {
      const { line, column } = placeIn(source, offset)
      return { file, offset, before, after, line, column }
    })
}

function changes({ changes: made }: Found, code: string): ConstructorParameters<typeof Visitor>[0] {
  const operator = (node: ESTree.BinaryExpression | ESTree.LogicalExpression): void => {
    const after = otherOperators[node.operator]
    if (after === undefined || (node.operator === '+' && !isNumeric(node))) return
    made.push({ offset: code.indexOf(node.operator, endOf(node.left, code)), before: node.operator, after })
  }
  return {
    BinaryExpression: operator,
    LogicalExpression: operator,
    UnaryExpression: ({ operator: sign, start }) => {
      if (sign === '!') made.push({ offset: start, before: '!', after: '' })
    },
    Literal: (node) => {
      const after = otherLiteral(node)
      if (after !== null) made.push({ offset: node.start, before: code.slice(node.start, node.end), after })
    },
    IfStatement: ({ test, consequent }) => {
      if (leavesEarly(consequent) && isPlain(test)) made.push({ offset: test.start, before: '', after: '!' })
    },
  }
}

/** Behind the parentheses around an operand, which the tree does not have. */
function endOf({ end }: Span, code: string): number {
  let at = end
  while (/[\s)]/.test(code.charAt(at))) at += 1
  return at
}

function otherLiteral(node: Span & { value: unknown }): string | null {
  if (typeof node.value === 'boolean') return String(!node.value)
  return typeof node.value === 'number' ? String(node.value + 1) : null
}

function leavesEarly(consequent: ESTree.Statement): boolean {
  const first = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent
  return first !== undefined && ['ReturnStatement', 'ContinueStatement', 'ThrowStatement'].includes(first.type)
}

/** Other conditions have an operator, of which they are changed already. */
function isPlain({ type }: ESTree.Expression): boolean {
  return ['Identifier', 'CallExpression', 'MemberExpression', 'ChainExpression', 'AwaitExpression'].includes(type)
}

function leavingOut({ leftOut }: Found, code: string): ConstructorParameters<typeof Visitor>[0] {
  const whole = ({ start, end }: Span): void => {
    leftOut.push({ start, end })
  }
  return {
    ImportDeclaration: whole,
    TSTypeAnnotation: whole,
    TSTypeAliasDeclaration: whole,
    TSInterfaceDeclaration: whole,
    TSTypeParameterInstantiation: whole,
    TSLiteralType: whole,
    NewExpression: ({ callee, arguments: given }) => {
      if (nameOf(callee).endsWith('Error')) given.forEach(whole)
    },
    CallExpression: ({ callee, arguments: given }) => {
      const name = callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee)
      if (speaking.has(name)) given.forEach(whole)
    },
    // It only shows readers of a document what such a value looks like.
    Property: ({ key, value }) => {
      if (nameOf(key) === 'example') whole(value)
    },
    // A limit or a duration with a name: the test of its edges has it by this name too, and else would only repeat it.
    Program: ({ body }) => {
      for (const { init } of body.flatMap(constantsOf)) if (init !== null && isSetNumber(init)) whole(init)
    },
    // The type of an element has undefined in it, also where every element is there: most defaults are never taken.
    LogicalExpression: ({ operator, left, right }) => {
      if (operator === '??' && isElement(left)) whole(right)
    },
    ArrayPattern: ({ elements }) => {
      for (const each of elements) if (each?.type === 'AssignmentPattern') whole(each.right)
    },
    // The smaller or the larger of both sides is the same where they are equal: `a < b ? a : b`.
    ConditionalExpression: ({ test, consequent, alternate }) => {
      if (test.type !== 'BinaryExpression' || !orders.has(test.operator)) return
      const sides = [test.left, test.right].map((side) => code.slice(side.start, side.end))
      const chosen = [consequent, alternate].map((branch) => code.slice(branch.start, branch.end))
      if (chosen.toSorted().join(' ') === sides.toSorted().join(' ')) leftOut.push(between(test.left, test.right))
    },
  }
}

function between(one: Span, other: Span): Span {
  return { start: one.end, end: other.start }
}

function constantsOf(statement: ESTree.Program['body'][number]): ESTree.VariableDeclarator[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  return declared?.type === 'VariableDeclaration' ? declared.declarations : []
}

/** Whether a value is made of literals and other constants alone, as in `30 * dayMs`, or has such values by names. */
function isSetNumber(node: Operand): boolean {
  if (node.type === 'TSAsExpression') return isSetNumber(node.expression)
  if (node.type === 'UnaryExpression') return node.operator === '-' && isSetNumber(node.argument)
  if (node.type === 'ObjectExpression')
    return node.properties.every((each) => each.type === 'Property' && isSetNumber(each.value))
  if (node.type === 'BinaryExpression') return isSetNumber(node.left) && isSetNumber(node.right)
  return node.type === 'Identifier' || (node.type === 'Literal' && typeof node.value === 'number')
}

/** Also a member of an element, as in `list[0]?.name`. */
function isElement(node: Operand): boolean {
  if (node.type === 'ChainExpression') return isElement(node.expression)
  if (node.type === 'MemberExpression') return node.computed || (node.optional && isElement(node.object))
  return (
    node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'at'
  )
}

/** A text of the same length, so that all places stay what they are. */
function withoutComments(source: string, comments: readonly Span[]): string {
  return comments.reduce(
    (code, { start, end }) => code.slice(0, start) + ' '.repeat(end - start) + code.slice(end),
    source,
  )
}

function placeIn(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
