// What the written pages say, read as a browser would.
import { Parser } from 'htmlparser2'

export type Heading = { level: number; id: string; text: string }
export type Part = { heading: Heading; text: string }
export type ReadPage = { ids: Set<string>; links: string[]; loaded: string[]; parts: Part[] }

const loading = new Set(['img', 'source', 'script', 'link'])
const heading = /^h[1-4]$/
/** Where words are told apart, though no space stands there. */
const blocks = new Set(['p', 'li', 'td', 'th', 'tr', 'pre', 'h1', 'h2', 'h3', 'h4', 'summary', 'div', 'section'])

/** Reads a page. `parts` are of its `main`: each heading with what stands below it until the next. */
export function readHtml(html: string): ReadPage {
  const page: ReadPage = { ids: new Set(), links: [], loaded: [], parts: [] }
  let mainDepth = 0
  let open: Heading | null = null
  const parser = new Parser({
    onopentag: (name, { id, href, src, srcset }) => {
      if (id !== undefined) page.ids.add(id)
      for (const address of [href, src, srcset]) {
        if (address === undefined) continue
        ;(loading.has(name) ? page.loaded : page.links).push(address)
      }
      if (name === 'main') mainDepth += 1
      if (mainDepth > 0 && heading.test(name) && id !== undefined) {
        open = { level: Number(name.slice(1)), id, text: '' }
        page.parts.push({ heading: open, text: '' })
      }
      addText(name)
    },
    ontext: (text) => {
      if (mainDepth === 0) return
      const last = page.parts.at(-1)
      if (open !== null) open.text += text
      else if (last !== undefined) last.text += text
    },
    onclosetag: (name) => {
      if (name === 'main') mainDepth -= 1
      if (heading.test(name)) open = null
      addText(name)
    },
  })
  const addText = (name: string): void => {
    const last = page.parts.at(-1)
    if (blocks.has(name) && open === null && last !== undefined) last.text += ' '
  }
  parser.end(html)
  for (const part of page.parts) {
    part.text = part.text.replaceAll(/\s+/g, ' ').trim()
    part.heading.text = part.heading.text.replaceAll(/\s+/g, ' ').trim()
  }
  return page
}
