// How the build reads marked texts and their translations. Lingui's own plugin for Vite does it with the program that
// also collects texts, whose thirty packages `npm ci` would install for a conversion of twenty lines.
import { makeConfig } from '@lingui/conf'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import { parsePo } from 'pofile-ts'
import type { Plugin } from 'vite'

/** Which component macros put in the place of theirs; from the root of web/, as Vite reads it. */
export const runtimeModules = { Trans: ['/src/parts/trans.ts', 'Trans'] } as const

// English stays in the code, so that a text that is in no catalogue yet is shown all the same.
const linguiConfig = makeConfig({ locales: ['en'], runtimeConfigModule: { Trans: [...runtimeModules.Trans] } })
const macros = ['@lingui/babel-plugin-lingui-macro', { descriptorFields: 'message', linguiConfig }]

/** Replaces the macros of files that import them, and parses their texts, so that no browser has to bring the parser. */
export const macroPreset = defineRolldownBabelPreset({
  preset: { plugins: [macros, compiledTexts] },
  rolldown: { filter: { code: /from '@lingui\/(?:core|react)\/macro'/ } },
})

/** The parts of Babel's tree that are read here, because the package brings no types. */
type Member = { key?: { name?: string }; value?: { type: string; value?: unknown } }
type ObjectNode = { leadingComments?: { value: string }[] | null; properties: Member[] }
type Babel = { types: { valueToNode: (value: unknown) => NonNullable<Member['value']> } }

/** The macros mark each text that they make with this comment. */
const textMark = '* i18n'

function compiledTexts({ types }: Babel) {
  const compile = ({ node }: { node: ObjectNode }): void => {
    if (node.leadingComments?.some(({ value }) => value.trim() === textMark) !== true) return
    const message = node.properties.find(({ key }) => key?.name === 'message')
    if (message?.value?.type !== 'StringLiteral') return
    message.value = types.valueToNode(compileMessageOrThrow(String(message.value.value)))
  }
  return { visitor: { ObjectExpression: compile } }
}

/** A catalogue is a module of its translations, by the ids that the macros give to texts. */
export function catalogues(): Plugin {
  return {
    name: 'perigee-catalogues',
    transform: {
      filter: { id: /\.po$/ },
      handler: (text) => ({
        code: `export const messages = ${JSON.stringify(messagesOf(text))}`,
        map: null,
        moduleType: 'js',
      }),
    },
  }
}

/** What has no translation is left out, and stays English. */
export function messagesOf(text: string): Record<string, CompiledMessage> {
  const translated = parsePo(text).items.filter(({ msgstr }) => (msgstr[0] ?? '') !== '')
  return Object.fromEntries(
    translated.map(({ msgid, msgctxt, msgstr }) => [
      generateMessageId(msgid, msgctxt ?? undefined),
      compileMessageOrThrow(msgstr[0] ?? ''),
    ]),
  )
}
