// The site shows every document, its links lead where those of the forge lead, and what leads nowhere is told.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, it } from 'node:test'
import { complaintsAbout } from './check.ts'
import { createAnchors } from './headings.ts'
import { createLinks, toRoot } from './links.ts'
import { readPages, root } from './pages.ts'
import { readHtml } from './read-html.ts'

const pages = readPages()

describe('the navigation', () => {
  it('has every page of docs/', () => {
    const sources = new Set(pages.map(({ source }) => source))
    const documents = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/images/**'] })
    const missing = documents.filter((file) => !sources.has(file))
    assert.deepEqual(missing, [], 'site/navigation.ts does not name them')
  })

  it('has every page once', () => {
    const addresses = pages.map(({ address }) => address)
    assert.deepEqual(addresses.toSorted(), [...new Set(addresses)].toSorted())
  })

  it('lists the pages of a folder with their first sentences', () => {
    const list = pages.find(({ source }) => source === 'docs/kinds/index.md')
    assert.match(list?.text ?? '', /^- \[tcp: .*\]\(tcp\.md\): \S.*\.$/m)
  })
})

describe('anchors of headings', () => {
  for (const [heading, expected] of [
    ['Which alerts, and when?', 'which-alerts-and-when'],
    ['Kind `http`: a website', 'kind-http-a-website'],
    ['From a_b - c', 'from-a_b---c'],
    ['Überblick (2)', 'überblick-2'],
  ] as const)
    it(`of ${heading}`, () => assert.equal(createAnchors()(heading.replaceAll('`', '')), expected))

  it('are numbered where a heading stands twice', () => {
    const anchorOf = createAnchors()
    assert.deepEqual(
      ['Limits', 'Limits', 'Limits'].map((each) => anchorOf(each)),
      ['limits', 'limits-1', 'limits-2'],
    )
  })
})

describe('links of documents', () => {
  const { resolve, files } = createLinks(pages)
  for (const [link, source, expected] of [
    ['alerts.md#by-a-tag', 'docs/monitors.md', 'alerts.html#by-a-tag'],
    ['../alerts.md', 'docs/kinds/http.md', '../alerts.html'],
    ['docs/kinds/', 'README.md', 'kinds/index.html'],
    ['docs/kinds/http.md', 'README.md', 'kinds/http.html'],
    ['../README.md', 'docs/api.md', 'index.html'],
    ['images/claim-dark-desktop.webp', 'docs/agents.md', 'images/claim-dark-desktop.webp'],
    ['../examples/agent.ts', 'docs/agents.md', 'files/examples/agent.ts.txt'],
    ['https://example.com/a.md', 'docs/agents.md', 'https://example.com/a.md'],
    ['#limits', 'docs/agents.md', '#limits'],
  ] as const)
    it(`${link} of ${source} leads to ${expected}`, () => assert.equal(resolve(link, source), expected))

  it('name the files that have to lie beside the pages', () =>
    assert.equal(files.get('examples/agent.ts'), 'files/examples/agent.ts.txt'))

  it('may not name what is not there', () =>
    assert.throws(() => resolve('gone.md', 'docs/alerts.md'), /docs\/alerts\.md links to docs\/gone\.md/))

  it('lead to the root of the site from each depth', () =>
    assert.deepEqual(['index.html', 'kinds/http.html'].map(toRoot), ['', '../']))
})

describe('complaints about written pages', () => {
  for (const [html, expected] of [
    ['<h2 id="x">X</h2><a href="#x">x</a><a href="a.html#x">x</a><img src="../images/b.webp">', []],
    ['<a href="https://example.com/">x</a><a href="mailto:a@example.com">x</a>', []],
    ['<a href="#y">x</a>', ['kinds/a.html links to #y, which is not there']],
    ['<a href="b.html">x</a>', ['kinds/a.html links to b.html, which is not there']],
    ['<script src="https://example.com/x.js"></script>', ['kinds/a.html loads https://example.com/x.js']],
  ] as const)
    it(`about ${html}`, () => assert.deepEqual(complaints(html), expected))
})

function complaints(html: string): string[] {
  return complaintsAbout(new Map([['kinds/a.html', readHtml(html)]]), new Set(['images/b.webp']))
}

describe('a page that is read', () => {
  it('has parts by its headings, with words apart', () => {
    const { parts } = readHtml('<h2 id="0">no</h2><main><h2 id="x">A <code>b</code></h2><p>c</p><p>d</p></main>')
    assert.deepEqual(parts, [{ heading: { level: 2, id: 'x', text: 'A b' }, text: 'c d' }])
  })
})
