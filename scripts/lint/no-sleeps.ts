// A rule of oxlint's (.oxlintrc.json): a test waits until something is so, never for a time that should be enough.
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]
type Context = Parameters<NonNullable<Rule['create']>>[0]
type Visitor = ReturnType<NonNullable<Rule['create']>>
type Import = Parameters<NonNullable<Visitor['ImportDeclaration']>>[0]
type Call = Parameters<NonNullable<Visitor['CallExpression']>>[0]
type Node = Call['arguments'][number]

const messages = {
  sleep:
    'A sleep: too short on a busy machine, too long on an idle one. Wait for what is to come with until() (test/support/until.ts); the rhythm of a caller or an outage that the test plays is pause() (test/support/pause.ts).',
}

export const noSleeps: Rule = { meta: { type: 'problem', messages }, create }

function create(context: Context): Visitor {
  return {
    ImportDeclaration: (node) => {
      if (node.source.value === 'node:timers/promises' && hasTimer(node)) context.report({ node, messageId: 'sleep' })
    },
    CallExpression: (node) => {
      if (isWaitForTimeout(node) || resolvesPromise(node)) context.report({ node, messageId: 'sleep' })
    },
  }
}

/** A turn of the event loop is no sleep. */
function hasTimer({ specifiers }: Import): boolean {
  return specifiers.some((each) => each.type !== 'ImportSpecifier' || nameOf(each.imported) !== 'setImmediate')
}

/** Playwright's. */
function isWaitForTimeout({ callee }: Call): boolean {
  return callee.type === 'MemberExpression' && nameOf(callee.property) === 'waitForTimeout'
}

/** `setTimeout(resolve, …)` or `setTimeout(() => resolve(…), …)`, where `resolve` is that of `new Promise` around it. */
function resolvesPromise(node: Call): boolean {
  const [work] = node.arguments
  if (nameOf(node.callee) !== 'setTimeout' || work === undefined) return false
  const called = calledBy(work)
  if (called === '') return false
  for (let each: Node | Call['parent'] | null = node.parent; each !== null; each = each.parent ?? null)
    if (each.type === 'NewExpression' && nameOf(each.callee) === 'Promise') return firstParameterOf(each) === called
  return false
}

function calledBy(work: Node): string {
  if (work.type !== 'ArrowFunctionExpression') return nameOf(work)
  return work.body.type === 'CallExpression' ? nameOf(work.body.callee) : ''
}

function firstParameterOf({ arguments: [executor] }: { arguments: readonly Node[] }): string {
  const [first] =
    executor?.type === 'ArrowFunctionExpression' || executor?.type === 'FunctionExpression' ? executor.params : []
  return first === undefined ? '' : nameOf(first)
}

function nameOf(node: { type: string; name?: unknown }): string {
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : ''
}
