// The files that documents link to are there, and every picture is shown by one of them.
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { documentPaths, linksIn, linksOf, picturesFolder, root } from './docs-links.ts'

const documents = documentPaths()

describe('the documents', () => {
  for (const document of documents)
    it(`${document} links to files that are there`, () => {
      const missing = linksOf(document).filter((target) => !existsSync(join(root, target)))
      assert.deepEqual(missing, [])
    })

  it('show every picture', () => {
    const shown = new Set(documents.flatMap(linksOf))
    const unused = globSync(`${picturesFolder}/*.*`, { cwd: root }).filter((file) => !shown.has(file))
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
