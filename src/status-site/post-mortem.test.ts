import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { postMortemHtml } from './post-mortem.ts'

const cases: [body: string, html: string][] = [
  [
    '## Summary\n\nIt was **slow**.\nVery.',
    '<p><strong>Summary</strong></p><p>It was <strong>slow</strong>.<br>Very.</p>',
  ],
  ['- a\n- b\n\n1. c\n2) d', '<ul><li>a</li><li>b</li></ul><ol><li>c</li><li>d</li></ol>'],
  ['a\n- b\nc', '<p>a</p><ul><li>b</li></ul><p>c</p>'],
  ['#hash and **alone', '<p>#hash and **alone</p>'],
  ['<b>x</b> & "y"', '<p>&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot;</p>'],
  [
    'See https://a.example/x.',
    '<p>See <a href="https://a.example/x" rel="nofollow noopener noreferrer">https://a.example/x</a>.</p>',
  ],
  ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ['', ''],
]

describe('a post-mortem on a status page', () => {
  for (const [body, html] of cases)
    it(`is shown of ${JSON.stringify(body)}`, () => {
      assert.equal(postMortemHtml(body), html)
    })

  it('never becomes other elements, whatever was written', () => {
    const marks = fc.stringMatching(/^[#*+\-\d.) <>&"'ab\n\\[\]()]{0,200}$/)
    fc.assert(
      fc.property(marks, (body) => {
        const rest = postMortemHtml(body).replaceAll(/<\/?(?:p|ul|ol|li|strong)>|<br>/g, '')
        assert.doesNotMatch(rest, /[<>]/)
      }),
    )
  })
})
