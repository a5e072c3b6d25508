import { babelExtractor } from '@lingui/cli/api/extractors/babel'
import { type ExtractorType, defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { runtimeModules } from './web/catalogues.ts'

/**
 * The server has no macros: a text in `i18n._('…')` (src/core/language/texts.ts) is its own id. It gets the one that macros make
 * of it, so that a text stands in the catalogue once, wherever it is shown.
 */
const extractor: ExtractorType = {
  match: (filename) => babelExtractor.match(filename),
  extract: (...[filename, code, take, context]) =>
    babelExtractor.extract(
      filename,
      code,
      (text) => {
        const { id, message, context: meaning } = text
        take(message === undefined ? { ...text, id: generateMessageId(id, meaning), message: id } : text)
      },
      context,
    ),
}

/** All texts that people read in the console and on public pages: `npm run texts` writes them into the catalogue. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    {
      path: '<rootDir>/web/texts/{locale}',
      include: ['web/src', 'src/contacts', 'src/core', 'src/http', 'src/status-site'],
      exclude: ['**/*.test.ts', '**/*.test.tsx'],
    },
  ],
  extractors: [extractor],
  runtimeConfigModule: { Trans: [...runtimeModules.Trans] },
  format: formatter({ lineNumbers: false, origins: false }),
})
