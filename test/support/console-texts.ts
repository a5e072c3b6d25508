// Preloaded by scripts/test-browser.ts (`node --import`): modules of the console that tests load into Node are read as
// the build reads them, with the macros that mark their texts, in English.
import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'

const sources = new URL('../../web/src/', import.meta.url).href
const macro = /from '@lingui\/(core|react)\/macro'/
const require = createRequire(import.meta.url)

i18n.setMessagesCompiler(compileMessage)
i18n.loadAndActivate({ locale: 'en', messages: {} })

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!url.startsWith(sources)) return loaded
    const path = fileURLToPath(url)
    const text = readFileSync(path, 'utf8')
    return macro.test(text) ? { ...loaded, source: withoutMacros(text, path) } : loaded
  },
})

/** The part of the API that is used here, because the package brings no types. */
type Babel = { transformSync: (text: string, options: object) => { code?: string | null } | null }

/** The compiler is loaded with the first module that needs it: most tests load none. */
function withoutMacros(text: string, filename: string): string {
  const { transformSync }: Babel = require('@babel/core')
  const plugins = [['@lingui/babel-plugin-lingui-macro', { descriptorFields: 'message' }]]
  const options = { filename, plugins, parserOpts: { plugins: ['typescript'] }, retainLines: true }
  return transformSync(text, { ...options, configFile: false, babelrc: false })?.code ?? ''
}
