// A rule of oxlint's (.oxlintrc.json): only src/store speaks SQL, as text and by the query builder.
import type { RuleTester } from 'oxlint/plugins-dev'
import { queryExceptions, statementExceptions } from './layers.ts'
import { placeOf } from './place.ts'

type Rule = Parameters<RuleTester['run']>[1]
type Context = Parameters<NonNullable<Rule['create']>>[0]
type Visitor = ReturnType<NonNullable<Rule['create']>>
type Node = Parameters<NonNullable<Visitor['MemberExpression']>>[0]['object']

const messages = {
  statement: 'Only src/store has SQL: make this a function there, named for what it reads or changes.',
  query: 'Only src/store queries the database: call a function of the store, or an operation.',
}

export const storeSql: Rule = { meta: { type: 'problem', messages }, create }

function create(context: Context): Visitor {
  const place = placeOf(context.filename)
  if (place === null || place.layer === 'store') return {}
  const mayState = statementExceptions.some(({ file }) => file === place.file)
  const mayQuery = queryExceptions.some(({ file }) => file === place.file)
  return {
    Literal: (node) => {
      if (!mayState && typeof node.value === 'string' && statement.test(node.value))
        context.report({ node, messageId: 'statement' })
    },
    TemplateLiteral: (node) => {
      const text = node.quasis.map(({ value }) => value.cooked ?? value.raw).join(filled)
      if (!mayState && statement.test(text)) context.report({ node, messageId: 'statement' })
    },
    TaggedTemplateExpression: (node) => {
      if (nameOf(node.tag) === 'sql') context.report({ node, messageId: 'statement' })
    },
    MemberExpression: (node) => {
      if (mayQuery || node.computed) return
      const { name } = node.property
      if (builds.has(name) || (name === 'query' && handles.test(nameOf(node.object))))
        context.report({ node, messageId: 'query' })
    },
  }
}

/** Stands for what a template fills in. */
const filled = 'x'

/** How our statements begin: keywords in one case, which sentences that begin with "Select" or "Update" have not. */
const beginnings = [
  String.raw`select\s+(?:\d|[\w.]+\(|[^]*\bfrom\s)`,
  String.raw`insert\s+into\s`,
  String.raw`update\s+(?:only\s+)?[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set\s`,
  String.raw`delete\s+from\s`,
  String.raw`merge\s+into\s`,
  String.raw`with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as\s+(?:(?:not\s+)?materialized\s+)?\(`,
  String.raw`(?:create|alter|drop)\s+(?:[a-z]+\s+){0,3}(?:table|index|view|schema|function|trigger|type|sequence|extension)\s`,
  String.raw`(?:truncate|lock)\s+(?:table\s)`,
  String.raw`set\s+(?:local|session)\s`,
]
const lowerCase = beginnings.join('|')
const upperCase = lowerCase.replaceAll(/(?<!\\)[a-z]+/g, (word) => word.toUpperCase())
const statement = new RegExp(String.raw`^\s*(?:${lowerCase}|${upperCase})`)

/** What has `query`: the database, a transaction, a pool or one of its connections, by the names we give them. */
const handles = /^(?:\w*[dD]atabase|\w*[pP]ool|planned|reader|tx|\w*[tT]ransaction|client)$/

/** Where the query builder begins a statement. */
const builds: ReadonlySet<string> = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto'])

/** The last name of `parts.database`, `tx` or `this.#pool`; empty for what has none. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : ''
}
