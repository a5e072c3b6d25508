import { type MarkedToken, type Token, type Tokens, lexer } from 'marked'
import { Children, type ReactNode, useMemo } from 'react'
import { linkClass } from '../page.tsx'

/**
 * The elements are made from the tokens, and no HTML ever is: what a text has of it is shown as it was written. Pictures
 * are links, because one that loads would tell its server who reads an incident.
 */
export default function Written({ text }: { text: string }): ReactNode {
  const tokens = useMemo(() => tokensOf(text), [text])
  if (tokens === null) return <p className="whitespace-pre-line">{text}</p>
  return <div className="flex flex-col gap-3">{shown(tokens, 0)}</div>
}

/** Null for what is nested so deeply that its reader gives up. */
function tokensOf(text: string): Token[] | null {
  try {
    return lexer(text, { gfm: true, breaks: true })
  } catch {
    return null
  }
}

/** What is nested deeper is shown as it was written. */
const deepest = 16

/** A later release of the library may have more of them, which are shown as text. */
const known: Readonly<Record<MarkedToken['type'], true>> = {
  blockquote: true,
  br: true,
  checkbox: true,
  code: true,
  codespan: true,
  def: true,
  del: true,
  em: true,
  escape: true,
  heading: true,
  hr: true,
  html: true,
  image: true,
  link: true,
  list: true,
  list_item: true,
  paragraph: true,
  space: true,
  strong: true,
  table: true,
  text: true,
}

const isMarked = (token: Token): token is MarkedToken => token.type in known

function shown(tokens: readonly Token[], depth: number): ReactNode {
  return Children.toArray(
    tokens.map((token) => (isMarked(token) && depth <= deepest ? elementOf(token, depth + 1) : token.raw)),
  )
}

function elementOf(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'text':
      return token.tokens === undefined ? token.text : shown(token.tokens, depth)
    case 'escape':
    case 'html':
      return token.text
    case 'br':
      return <br />
    case 'hr':
      return <hr className="border-line" />
    case 'codespan':
      return <code className="rounded bg-sunken px-1 text-sm">{token.text}</code>
    case 'code':
      return <pre className="rounded-lg bg-sunken p-3 text-sm whitespace-pre-wrap">{token.text}</pre>
    case 'table':
      return <Table table={token} depth={depth} />
    case 'list':
      return <List list={token} depth={depth} />
    case 'blockquote':
    case 'del':
    case 'em':
    case 'heading':
    case 'image':
    case 'link':
    case 'list_item':
    case 'paragraph':
    case 'strong':
      return <Around token={token} depth={depth} />
  }
}

type Surrounding = Extract<MarkedToken, { tokens: Token[] }>

/** What is around others. A heading is none of the page's own. */
function Around({ token, depth }: { token: Surrounding; depth: number }): ReactNode {
  const inside = shown(token.tokens, depth)
  switch (token.type) {
    case 'heading':
      return <p className="font-semibold">{inside}</p>
    case 'blockquote':
      return <blockquote className="flex flex-col gap-2 border-l-2 border-edge pl-3">{inside}</blockquote>
    case 'list_item':
      return <li className="pl-1">{inside}</li>
    case 'strong':
      return <strong>{inside}</strong>
    case 'em':
      return <em>{inside}</em>
    case 'del':
      return <del>{inside}</del>
    case 'link':
    case 'image':
      return <WrittenLink href={token.href}>{inside}</WrittenLink>
    case 'paragraph':
      return <p>{inside}</p>
  }
}

function List({ list: { ordered, start, items }, depth }: { list: Tokens.List; depth: number }): ReactNode {
  const members = shown(items, depth)
  if (!ordered) return <ul className="list-disc pl-6">{members}</ul>
  return (
    <ol start={start === '' ? 1 : start} className="list-decimal pl-6">
      {members}
    </ol>
  )
}

type Cells = readonly Tokens.TableCell[]

function Table({ table: { header, rows }, depth }: { table: Tokens.Table; depth: number }): ReactNode {
  const cellsOf = (cells: Cells): ReactNode =>
    Children.toArray(
      cells.map(({ tokens }) => <td className="border-b border-line px-2 py-1">{shown(tokens, depth)}</td>),
    )
  return (
    <table className="text-sm">
      <thead className="font-semibold">
        <tr>{cellsOf(header)}</tr>
      </thead>
      <tbody>{Children.toArray(rows.map((row) => <tr>{cellsOf(row)}</tr>))}</tbody>
    </table>
  )
}

/** Addresses that run as scripts, or lead into other programs, are no links. */
function WrittenLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return children
  return (
    <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
      {children}
    </a>
  )
}
