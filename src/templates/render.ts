import { Liquid, LiquidError, type Template } from 'liquidjs'
import { bodyLines, type MessageTemplates, titleLine } from '#core/contacts/message-templates.ts'
import { unknownField } from '#core/contacts/template-fields.ts'
import { oneLine } from '#core/language/one-line.ts'

/** `values` is null where the templates are only checked. */
export type TemplateQuestion = { templates: MessageTemplates; values: TemplateValues | null }
export type TemplateValues = Readonly<Record<string, unknown>>

/** `text` is empty where nothing was to be rendered; `problem` is a sentence. */
export type Rendered = { ok: true; text: string } | { ok: false; problem: string }
/** Null for a template that there is not. */
export type TemplateAnswer = {
  title: Rendered | null
  body: Rendered | null
  /** What it took of the processor, in milliseconds. */
  usedMs: number
}

/** Characters of a template and of what it makes on the way; ordinary templates need some thousand. */
const memoryLimit = 200_000
const parseLimit = 10_000
/** Looked at between two tags, so that a filter may take longer: the thread is ended then. */
const renderLimitMs = 200

/** Templates read no files, so that other templates are no tags of theirs. */
const fileTags = ['include', 'render', 'layout', 'block']

/** Renders templates that others wrote. It throws nothing, but may take long: only a thread that can be ended calls it. */
export function createRenderer(): (question: TemplateQuestion) => TemplateAnswer {
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    timezoneOffset: 0,
    parseLimit,
    memoryLimit,
    renderLimit: renderLimitMs,
  })
  for (const tag of fileTags) delete engine.tags[tag]
  return ({ templates: { title, body }, values }) => {
    const before = process.threadCpuUsage()
    const made = {
      title: title === null ? null : rendered(engine, { template: title, values, shownAs: titleLine }),
      body: body === null ? null : rendered(engine, { template: body, values, shownAs: bodyLines }),
    }
    const { user, system } = process.threadCpuUsage(before)
    return { ...made, usedMs: (user + system) / 1000 }
  }
}

type Wanted = { template: string; values: TemplateValues | null; shownAs: (text: string) => string }

function rendered(engine: Liquid, { template, values, shownAs }: Wanted): Rendered {
  try {
    const parsed = engine.parse(template)
    const unknown = unknownIn(engine, parsed)
    if (unknown !== null) return { ok: false, problem: `There is no field ${oneLine(unknown, 100)}.` }
    if (values === null) return { ok: true, text: '' }
    const made: unknown = engine.renderSync(parsed, values)
    const text = shownAs(String(made))
    return text === '' ? { ok: false, problem: 'It came to nothing.' } : { ok: true, text }
  } catch (error) {
    return { ok: false, problem: problemOf(error) }
  }
}

function unknownIn(engine: Liquid, parsed: Template[]): string | null {
  for (const path of engine.globalVariableSegmentsSync(parsed, { partials: false })) {
    const unknown = unknownField(path)
    if (unknown !== null) return unknown
  }
  return null
}

const maxReason = 200

/** `Line 2: tag "fi" not found.` */
function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('template render limit')) return 'It takes too long.'
  if (message.startsWith('memory alloc limit')) return 'It takes too much memory.'
  if (!LiquidError.is(error)) return 'It cannot be rendered.'
  const [, reason = message, line = ''] = /^(.*), line:(\d+), col:\d+$/s.exec(message) ?? []
  const shown = oneLine(reason, maxReason)
  return line === '' ? `Liquid refuses it: ${shown}.` : `Line ${line}: ${shown}.`
}
