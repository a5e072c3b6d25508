// How Markdown becomes the HTML of the site: anchors of headings, addresses of links, blocks of code, wide tables.
import type { MarkdownIt, Token } from '@11ty/eleventy'
import { createAnchors } from './headings.ts'
import type { Links } from './links.ts'

export function amendMarkdown(library: MarkdownIt, { resolve }: Links): void {
  library.core.ruler.push('perigee', ({ tokens, env: { source } }) => {
    const anchorOf = createAnchors()
    const inSite = (link: string): string => resolve(link, source)
    for (const [index, token] of tokens.entries()) {
      const inline = tokens[index + 1]
      if (token.type === 'heading_open' && inline !== undefined) token.attrSet('id', anchorOf(textOf(inline)))
      for (const part of [token, ...(token.children ?? [])]) relink(part, inSite)
    }
  })
  const { rules } = library.renderer
  rules['fence'] = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    const code = library.utils.escapeHtml(content)
    return `<pre tabindex="0"><code>${info.trim() === 'sh' ? withComments(code) : code}</code></pre>\n`
  }
  // A header that says nothing is no header (axe-core: empty-table-header).
  rules['th_open'] = (tokens, index) => (isEmpty(tokens[index + 1]) ? '<td>' : '<th scope="col">')
  rules['th_close'] = (tokens, index) => (isEmpty(tokens[index - 1]) ? '</td>' : '</th>')
  rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
  rules['table_close'] = () => '</table></div>\n'
}

function textOf({ children }: Token): string {
  const shown = (children ?? []).filter(({ type }) => type === 'text' || type === 'code_inline')
  return shown.map(({ content }) => content).join('')
}

function isEmpty(cell: Token | undefined): boolean {
  return cell?.content === ''
}

function relink(token: Token, inSite: (link: string) => string): void {
  for (const name of ['href', 'src']) {
    const link = token.attrGet(name)
    if (link !== null) token.attrSet(name, inSite(link))
  }
  if (token.type === 'html_block' || token.type === 'html_inline')
    token.content = token.content.replaceAll(
      /\b(src|srcset|href)="([^"]+)"/g,
      (_, name: string, link: string) => `${name}="${inSite(link)}"`,
    )
}

function withComments(code: string): string {
  return code.replaceAll(/(^| {2,})(# .*)$/gm, '$1<span class="comment">$2</span>')
}
