// A rule of oxlint's (.oxlintrc.json): every text that people read in the console is marked for translation.
/* oxlint-disable typescript/switch-exhaustiveness-check -- of 160 kinds of nodes most are alike here */
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]
type Context = Parameters<NonNullable<Rule['create']>>[0]
type Visitor = ReturnType<NonNullable<Rule['create']>>
type Node = Parameters<NonNullable<Visitor['JSXText']>>[0]['parent']
type Parent = NonNullable<Node['parent']>

const messages = {
  unmarked:
    'Not marked for translation. Between tags: <Trans>…</Trans>; in functions: t`…` or plural(…); in constants of a module: msg`…`, shown by i18n._(…).',
  early:
    'Asked before the language is known: modules are evaluated first. Make it msg`…`, shown by i18n._(…), or a function.',
}

/** Marks of Lingui's, as calls and tagged templates, and as elements. */
const marks: ReadonlySet<string> = new Set(['t', 'msg', 'defineMessage', 'plural', 'select', 'selectOrdinal', 'ph'])
const markElements: ReadonlySet<string> = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal'])
/** Marks that are messages at once, in the language of the moment. */
const askingMarks: ReadonlySet<string> = new Set(['t', 'plural', 'select', 'selectOrdinal'])

/** Attributes that hold no words for people. All others do, such as `label`, `title` and `aria-label`. */
const wordless =
  /^(align|auto\w+|by|className|closedby|d|defaultValue|enterKeyHint|fill|href|htmlFor|id|inputMode|key|kind|list|look|method|of|preserveAspectRatio|rel|role|scope|search|shapeRendering|src|stroke\w*|target|text|to|tone|transform|type|value|vectorEffect|viewBox|wrap|data-.*|aria-(autocomplete|controls|current|describedby|haspopup|hidden|keyshortcuts|labelledby|live))$/
/** Properties, constants and defaults that hold words for people, whatever they are of. */
const wordy =
  /^(aria-label|description|hint|label|lead|legend|message|placeholder|submit|summary|term|text|title|words)$/
/** The same in every language: names, units, and what has the form of an address. */
const international =
  /\b(?:Android|Chrome|Edge|Firefox|Linux|Opera|Perigee|Python|Safari|UTC|Windows|ms)\b|\S*[/@]\S*|[^\s.]\S*\.[^\s.]\S*/gu
/** Stands for what a template fills in. */
const filled = '\uFFFC'

export const markedTexts: Rule = { meta: { type: 'problem', messages }, create }

function create(context: Context): Visitor {
  const look = (node: Node, text: string): void => {
    if (isForPeople(text, node) && !isMarked(node)) context.report({ node, messageId: 'unmarked' })
  }
  const lookWhen = (node: Node, isAsking: boolean): void => {
    if (isAsking && !isInFunction(node)) context.report({ node, messageId: 'early' })
  }
  return {
    JSXText: (node) => {
      if (hasWord(node.value) && !isMarkedChild(node)) context.report({ node, messageId: 'unmarked' })
    },
    Literal: (node) => {
      if (typeof node.value === 'string') look(node, node.value)
    },
    TemplateLiteral: (node) => look(node, node.quasis.map(({ value }) => value.cooked ?? value.raw).join(filled)),
    CallExpression: (node) => lookWhen(node, isNamed(node.callee, askingMarks)),
    TaggedTemplateExpression: (node) => lookWhen(node, isNamed(node.tag, askingMarks)),
    MemberExpression: (node) => lookWhen(node, node.object.type === 'Identifier' && node.object.name === 'i18n'),
  }
}

function hasWord(text: string): boolean {
  return /(?<!\S)[^\s\p{L}\uFFFC]*\p{L}/u.test(text.replaceAll(international, ''))
}

/** Judged by where it is shown: in an attribute or between tags any word counts, elsewhere what looks like a sentence. */
function isForPeople(text: string, node: Node): boolean {
  const { parent, child } = outOfChoices(node)
  switch (parent.type) {
    case 'JSXAttribute':
      return isForPeopleAs(nameOf(parent.name), text)
    case 'JSXExpressionContainer':
      return parent.parent.type === 'JSXAttribute' ? isForPeopleAs(nameOf(parent.parent.name), text) : hasWord(text)
    case 'Property':
      if (parent.key === child || isHeader(nameOf(parent.key))) return false
      return wordy.test(nameOf(parent.key)) ? hasWord(text) : isTitle(text) || isSentence(text)
    case 'VariableDeclarator':
      if (/key$/i.test(nameOf(parent.id))) return false
      return wordy.test(nameOf(parent.id)) ? hasWord(text) : isTitle(text) || isSentence(text)
    case 'AssignmentPattern':
      return wordy.test(nameOf(parent.left)) ? hasWord(text) : isTitle(text) || isSentence(text)
    case 'ArrayExpression':
    case 'ArrowFunctionExpression':
    case 'ReturnStatement':
      return isTitle(text) || isSentence(text)
    case 'CallExpression':
      return isSentence(text) && !isNamed(parent.callee, keyed)
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'TSLiteralType':
    case 'TaggedTemplateExpression':
      return false
    case 'NewExpression':
      // The message of a bug is shown to no person.
      return isSentence(text) && !isNamed(parent.callee, plainErrors)
    default:
      return isSentence(text)
  }
}

/** Fields have a `name` too, which is the wire's. */
function isForPeopleAs(attribute: string, text: string): boolean {
  return hasWord(text) && !wordless.test(attribute) && (attribute !== 'name' || /^\p{Lu}/u.test(text))
}

/** Their first argument is what something is read under (web/src/session/workspace.tsx). */
const keyed: ReadonlySet<string> = new Set(['useRead', 'changed'])
const plainErrors: ReadonlySet<string> = new Set(['Error', 'TypeError', 'RangeError'])

/** One word with a capital, such as of a list. */
function isTitle(text: string): boolean {
  return /^\p{Lu}\p{Ll}+$/u.test(text) && hasWord(text)
}

/** Two words or more: the first has a capital, or there are only words, and one as no list of names has it. */
function isSentence(text: string): boolean {
  const hasCapital = /^\p{Lu}[\p{L}’'-]*[,.:;]?\s+[\p{L}\uFFFC“"(]/u.test(text)
  const hasWordsAlone = /^[\p{L}\uFFFC’',.:;()\s]+$/u.test(text) && /\s/u.test(text.trim())
  return (hasCapital || (hasWordsAlone && commonWord.test(text))) && hasWord(text)
}

const commonWord =
  /(?<!\S)(?:about|an?|and|are|at|by|for|from|has|have|in|is|it|just|no|not|nothing|of|on|or|the|this|to|under|was|with|yet)(?!\S)/

/** `Authorization`, `X-Perigee-Workspace`: what such properties hold goes over the wire. */
function isHeader(name: string): boolean {
  return /^[A-Z]/.test(name)
}

type Place = { parent: Parent; child: Node }

/** Past conditions, alternatives and templates, of which this is one outcome or one part. */
function outOfChoices(node: Node): Place {
  let child: Node = node
  for (;;) {
    const { parent } = child
    if (parent === null) throw new Error('A text stands outside of the program.')
    if (!isOutcome(child, parent)) return { parent, child }
    child = parent
  }
}

function isOutcome(child: Node, parent: Parent): boolean {
  switch (parent.type) {
    case 'ConditionalExpression':
      return parent.test !== child
    case 'BinaryExpression':
      return parent.operator === '+'
    case 'LogicalExpression':
    case 'ParenthesizedExpression':
    case 'TemplateLiteral':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return true
    default:
      return false
  }
}

/** Within a call of a mark, or an element that is one. */
function isMarked(node: Node): boolean {
  for (let each = node.parent; each !== null; each = each.parent) {
    if (each.type === 'CallExpression' && isNamed(each.callee, marks)) return true
    if (each.type === 'TaggedTemplateExpression' && isNamed(each.tag, marks)) return true
    if (each.type === 'JSXAttribute' && isMarkElement(each.parent)) return true
    if (isFunction(each)) return false
  }
  return false
}

/** Between the tags of one, or in one of its forms: what stands in an expression between them is no part of it. */
function isMarkedChild(node: Node): boolean {
  for (let each = node.parent; each !== null; each = each.parent) {
    if (each.type === 'JSXElement' && isMarkElement(each.openingElement)) return true
    if (each.type === 'JSXExpressionContainer')
      return each.parent.type === 'JSXAttribute' && isMarkElement(each.parent.parent)
    if (each.type !== 'JSXElement' && each.type !== 'JSXFragment') return false
  }
  return false
}

function isMarkElement(node: Node): boolean {
  return node.type === 'JSXOpeningElement' && markElements.has(nameOf(node.name))
}

function isInFunction(node: Node): boolean {
  for (let each = node.parent; each !== null; each = each.parent) if (isFunction(each)) return true
  return false
}

function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'
}

function isNamed(node: Node, names: ReadonlySet<string>): boolean {
  return node.type === 'Identifier' && names.has(node.name)
}

function nameOf(node: Node): string {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      return node.name
    case 'JSXNamespacedName':
      return `${node.namespace.name}:${node.name.name}`
    case 'Literal':
      return String(node.value)
    default:
      return ''
  }
}
