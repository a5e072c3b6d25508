// The commands that documents show.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentPaths, root } from '../../scripts/docs-links.ts'

export type Block = {
  page: string
  /** Of its first command. */
  line: number
  text: string
}

/** The pages of the documentation that show commands, each with its blocks, in their order. */
export function pagesWithCommands(): Map<string, Block[]> {
  const pages = documentPaths().filter((path) => path === 'README.md' || path.startsWith('docs/'))
  const blocks = pages.toSorted().flatMap((page) => blocksIn(readFileSync(join(root, page), 'utf8'), page))
  return Map.groupBy(blocks, ({ page }) => page)
}

export function blocksIn(text: string, page: string): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm)]
    .filter(([, , language]) => language === 'sh' || language === 'console')
    .map(({ index, 1: indent = '', 3: commands = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length + 1,
      text: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }))
}

/** The first block of a page in another language. */
export function firstBlock(page: string, language: string): string {
  const text = readFileSync(join(root, page), 'utf8')
  const [, block] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text) ?? []
  if (block === undefined) throw new Error(`${page} shows no ${language}`)
  return block
}
