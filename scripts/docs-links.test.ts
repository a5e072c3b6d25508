// The files that documents link to are there, and every picture is shown by one of them.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'examples/**/*.md'], { cwd: root })

describe('the documents', () => {
  for (const document of documents)
    it(`${document} links to files that are there`, () => {
      const missing = linksOf(document).filter((target) => !existsSync(join(root, target)))
      assert.deepEqual(missing, [])
    })

  it('show every picture', () => {
    const shown = new Set(documents.flatMap(linksOf))
    const unused = globSync('docs/images/*', { cwd: root }).filter((file) => !file.endsWith('.md') && !shown.has(file))
    assert.deepEqual(unused, [])
  })
})

describe('links of a document', () => {
  for (const [text, expected] of [
    ['[a](other.md#part) ![b](images/b.webp)', ['docs/other.md', 'docs/images/b.webp']],
    ['<img src="images/b.webp"><source srcset="../c.png" />', ['docs/images/b.webp', 'c.png']],
    ['[a](https://example.com/x.md) [b](#here) [c](mailto:a@example.com)', []],
    ['`[a](code.md)`\n```\n[b](block.md)\n```\n', []],
  ] as const)
    it(`are found in ${text}`, () => assert.deepEqual(linksIn(text, 'docs/page.md'), expected))
})

function linksOf(document: string): string[] {
  return linksIn(readFileSync(join(root, document), 'utf8'), document)
}

/** Files of this repository that a text links to, by their paths from its root. Code shows links of others. */
function linksIn(text: string, document: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"\s]+)"/g)]
  return links
    .map(([, inText, inTag]) => (inText ?? inTag ?? '').split('#')[0] ?? '')
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    .map((link) => relative(root, resolve(root, dirname(document), link)))
}
