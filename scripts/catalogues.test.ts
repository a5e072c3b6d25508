import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { macroPreset, messagesOf } from '../web/catalogues.ts'

/** The part of the API that is used here, because the package brings no types. */
type Babel = { transformSync: (text: string, options: object) => { code?: string | null } | null }
const { transformSync }: Babel = createRequire(import.meta.url)('@babel/core')

const catalogue = `
msgid ""
msgstr ""
"Language: de\\n"

msgid "Delete {name}?"
msgstr "{name} löschen?"

msgctxt "month"
msgid "May"
msgstr "Mai"

msgid "{count, plural, one {# monitor} other {# monitors}}"
msgstr ""
"{count, plural, one {# Monitor} "
"other {# Monitore}}"

msgid "Not yet"
msgstr ""
`

describe('a catalogue of the console', () => {
  it('has the translations by the ids that the macros make, and nothing that has none', () => {
    const code = `import { plural, t } from '@lingui/core/macro'
      t\`Delete \${name}?\`
      t({ message: 'May', context: 'month' })
      t({ message: plural(count, { one: '# monitor', other: '# monitors' }) })`
    const { preset } = macroPreset
    const made = transformSync(code, { presets: [preset], configFile: false, babelrc: false })?.code ?? ''
    const ids = [...made.matchAll(/id: "(.+?)"/g)].map(([, id = '']) => id)
    const messages = messagesOf(catalogue)
    assert.deepEqual(
      ids.map((id) => messages[id]),
      [
        [['name'], ' löschen?'],
        ['Mai'],
        [['count', 'plural', { offset: undefined, one: ['#', ' Monitor'], other: ['#', ' Monitore'] }]],
      ],
    )
    assert.equal(Object.keys(messages).length, 3)
  })
})

describe('a text of the console', () => {
  it('is parsed when the console is built, since no browser brings the parser', () => {
    assert.match(read('<Trans>Until <b>{end}</b></Trans>'), /message: \["Until <0>", \["end"\], "<\/0>"\]/)
  })

  it('is the only thing that is parsed', () => {
    assert.match(read('const other = { id: "1", message: "{kept}" }'), /message: "\{kept\}"/)
  })
})

function read(text: string): string {
  const made = transformSync(`import { Trans } from '@lingui/react/macro'\n${text}`, {
    presets: [macroPreset.preset],
    parserOpts: { plugins: ['jsx'] },
    configFile: false,
    babelrc: false,
  })
  return made?.code ?? ''
}
