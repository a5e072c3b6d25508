// The messages of the server, as `npm run texts` finds them, and the texts of a document that people read.
import { globSync, readFileSync } from 'node:fs'
import { Parser } from 'htmlparser2'
import { messageKey } from '#core/language/texts.ts'

export type ServerMessage = { message: string; /** By which translations have it. */ key: string }

/** Of these folders of src. */
export function serverMessages(folders: readonly string[]): ServerMessage[] {
  const root = new URL('../../src/', import.meta.url)
  return folders.flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: root })
      .filter((name) => !name.endsWith('.test.ts'))
      .flatMap((name) => messagesIn(readFileSync(new URL(name, root), 'utf8'))),
  )
}

function messagesIn(code: string): ServerMessage[] {
  const call = /\bi18n\._\(\s*'((?:[^'\\]|\\.)*)'(?:,\s*\{\},\s*\{ context: '([^']*)' \})?/g
  return [...code.matchAll(call)].map(([, message = '', context]) => ({
    message,
    key: context === undefined ? message : messageKey(message, context),
  }))
}

/** Elements of feeds without text for a reader: ids, times, and the language itself. */
const wordless: ReadonlySet<string> = new Set(['style', 'id', 'guid', 'published', 'updated', 'pubDate', 'language'])

/** The texts of a document that a reader sees or hears, but for names in a language that is said to be another one. */
export function textsOf(markup: string, { isXml = false } = {}): string[] {
  const texts: string[] = []
  const open: string[] = []
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        open.push(name !== 'html' && attributes['lang'] !== undefined ? 'style' : name)
        for (const attribute of ['aria-label', 'title', 'placeholder', 'alt', 'label'])
          texts.push(attributes[attribute] ?? '')
      },
      onclosetag: () => open.pop(),
      ontext: (text) => {
        if (!wordless.has(open.at(-1) ?? '')) texts.push(text)
      },
    },
    { xmlMode: isXml, decodeEntities: true },
  )
  parser.end(markup)
  return texts
}
