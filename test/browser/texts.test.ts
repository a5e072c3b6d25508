// Sentences of the console with what is put into them, without a browser.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { I18nProvider } from '@lingui/react'
import fc from 'fast-check'
import { type ReactNode, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Trans } from '../../web/src/parts/trans.ts'

type Sentence = { message: string; values: Record<string, unknown> }

const components = { 0: createElement('strong') }

function markupOf({ message, values }: Sentence): string {
  const sentence = createElement(Trans, { id: message, message, values, components })
  return renderToStaticMarkup(createElement(I18nProvider, { i18n }, sentence))
}

function plain(node: ReactNode): string {
  return renderToStaticMarkup(createElement('p', null, node)).slice('<p>'.length, -'</p>'.length)
}

describe('Trans', () => {
  before(() => {
    i18n.setMessagesCompiler(compileMessage)
    i18n.loadAndActivate({ locale: 'en', messages: {} })
  })

  const cases: [what: string, sentence: Sentence, shown: string][] = [
    ['a name', { message: 'By {name}.', values: { name: 'Ada' } }, 'By Ada.'],
    [
      'a name in an element',
      { message: '<0>{name}</0> is in.', values: { name: 'Ada' } },
      '<strong>Ada</strong> is in.',
    ],
    ['tags in a name', { message: 'By {name}.', values: { name: '<b>Shop</b>' } }, 'By &lt;b&gt;Shop&lt;/b&gt;.'],
    [
      'a tag of ours in a name',
      { message: '<0>By</0> {name}.', values: { name: '<0/>' } },
      '<strong>By</strong> &lt;0/&gt;.',
    ],
    [
      'tags in a name in an element',
      { message: '<0>{name}</0>', values: { name: '<0>x</0>' } },
      '<strong>&lt;0&gt;x&lt;/0&gt;</strong>',
    ],
    [
      'an element',
      { message: 'Until {end}', values: { end: createElement('time', null, '3') } },
      'Until <time>3</time>',
    ],
    ['nothing', { message: 'Ended {end}', values: { end: false } }, 'Ended '],
    [
      'a count',
      { message: '{count, plural, one {# monitor} other {# monitors}} of {name}', values: { count: 2, name: '<a/>' } },
      '2 monitors of &lt;a/&gt;',
    ],
  ]
  for (const [what, sentence, shown] of cases) it(`shows ${what}`, () => assert.equal(markupOf(sentence), shown))

  it('shows any two texts as they are', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[<>/0b]{0,12}$/))
    fc.assert(
      fc.property(text, text, (one, other) => {
        assert.equal(markupOf({ message: '{one} of {other}', values: { one, other } }), plain(`${one} of ${other}`))
      }),
    )
  })
})
