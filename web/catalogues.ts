// How the build reads marked texts and their translations. Lingui's own plugin for Vite does it with the program that
// also collects texts, whose thirty packages `npm ci` would install for a conversion of twenty lines.
import { makeConfig } from '@lingui/conf'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import { parsePo } from 'pofile-ts'
import type { Plugin } from 'vite'

/** Which component macros put in the place of theirs; from the root of web/, as Vite reads it. */
export const runtimeModules = { Trans: ['/src/parts/trans.ts', 'Trans'] } as const

// English stays in the code, so that a text that is in no catalogue yet is shown all the same.
const linguiConfig = makeConfig({ locales: ['en'], runtimeConfigModule: { Trans: [...runtimeModules.Trans] } })
const macros = ['@lingui/babel-plugin-lingui-macro', { descriptorFields: 'message', linguiConfig }]

/** Replaces the macros of files that import them. */
export const macroPreset = defineRolldownBabelPreset({
  preset: { plugins: [macros] },
  rolldown: { filter: { code: /from '@lingui\/(?:core|react)\/macro'/ } },
})

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
export function messagesOf(text: string): Record<string, string> {
  const translated = parsePo(text).items.filter(({ msgstr }) => (msgstr[0] ?? '') !== '')
  return Object.fromEntries(
    translated.map(({ msgid, msgctxt, msgstr }) => [generateMessageId(msgid, msgctxt ?? undefined), msgstr[0] ?? '']),
  )
}
