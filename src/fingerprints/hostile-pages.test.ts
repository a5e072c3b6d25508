// A short page is looked at on the thread that all jobs share, a long one in a thread that can be ended.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertQuick, filled } from '../../test/support/quick.ts'
import { libraryRules } from './library-rules.ts'
import { pageRules } from './page-rules.ts'
import { sightOf } from './page-sight.ts'
import { readScript } from './page-software.ts'
import { lookAtPage } from './page-thread.ts'
import { readRobots } from './robots.ts'
import { readPartFile } from './wordpress.ts'

const shortLength = 65_536
const fileLength = 32 * 1024
const robotsLength = 128 * 1024
const never = new AbortController().signal
const url = 'https://shop.example/'

const pieces = [
  '<script src="/skins/a/',
  '<form action="/users/sign_in" ',
  '<script  type="',
  '"buildInfo":{"a":"b",',
  'ng-version="1',
  '/* ! ',
  '<link rel="',
  '(((',
  ' 1.1.1.1',
  '<div>',
  '<p>',
  '<b></b>',
  '<',
  '&amp;',
  '<a b=c>',
  '<svg><script>',
  '<script src=/a></script>',
  '<link rel=stylesheet href=/a>',
  `<script src="/${'1/'.repeat(900)}"></script>`,
  `<script src="/${'/skins/a/'.repeat(200)}"></script>`,
  `<script src="/${'/wp-content/plugins/a/'.repeat(80)}?ver=1"></script>`,
]

describe('a short page', () => {
  // One text for each rule that tries every place of a text, and the beginnings of what the rules look for.
  const beginnings = pageRules
    .map(({ pattern }) => pattern)
    .concat(libraryRules.flatMap(({ addresses, contents }) => addresses.concat(contents)))
    .map(({ source }) => source.replaceAll(/\\([./?*"'$!-])/g, '$1').replaceAll(/[\^([{\\].*$/g, ''))
    .filter((text) => text.length > 2)

  for (const piece of pieces)
    it(`of ${piece.slice(0, 30)} is looked at in little time`, () => {
      const body = filled(piece, shortLength)
      const headers = { server: body, via: body, 'x-powered-by': body, 'set-cookie': `${body}\n`.repeat(2) }
      assertQuick('the page', () => void sightOf({ url, status: 200, headers, body }))
    })

  it('is looked at in little time by every rule, whatever it begins with', () => {
    for (const piece of new Set(beginnings)) {
      const body = filled(piece, shortLength)
      assertQuick(piece, () => void sightOf({ url, status: 200, headers: { server: body }, body: `<a ${body}` }))
      assertQuick(`the script ${piece}`, () => void readScript(new URL(url), filled(piece, fileLength)))
    }
  })
})

describe('a file of a site', () => {
  it('is read in little time, whatever it holds', () => {
    for (const piece of [
      'a',
      '*',
      '\n',
      ' ',
      ': ',
      '-',
      'allow: /*a\n',
      'user-agent: *\nallow: /*a*b\n',
      `allow: /${'*a'.repeat(490)}\n`,
      'user-agent: perigee\n',
      '\r',
      '#',
    ]) {
      const text = `user-agent: *\n${filled(piece, robotsLength)}`
      assertQuick(`robots.txt of ${piece.slice(0, 20)}`, () => void readRobots(text, 'Perigee')(`/${'a'.repeat(999)}`))
    }
    for (const piece of [' ', '\n', '\t*', 'Version:', 'Stable tag: ', ' \n*'])
      for (const ecosystem of ['wp-plugin', 'wp-theme'] as const)
        assertQuick(piece, () => void readPartFile(ecosystem, filled(piece, fileLength)))
  })
})

describe('a long page', () => {
  const long = {
    url,
    status: 200,
    headers: {},
    body: `<script src="/jquery-3.7.1.js"></script>${filled('<p>', 1024 * 1024)}`,
  }

  it('is looked at in a thread that is ended at its deadline', async () => {
    assert.deepEqual(await lookAtPage(long, never, { timeoutMs: 1, maxHeapMb: 256 }), { type: 'given up', why: 'time' })
  })

  it('shows what it would show on this thread', async () => {
    assert.deepEqual(await lookAtPage(long, never), { type: 'answered', answer: sightOf(long) })
  })
})
