import type { AnyContactKind } from '#contacts/contact.ts'
import { type ContactOptions, decideContactOptions } from '#core/contacts/contact-options.ts'
import type { Fields } from '#core/language/error.ts'
import { isSameJson } from '#core/language/json-path.ts'
import { issueFields, sentence } from '#operations/pipeline/validation.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Options = Record<string, unknown>
type Asked = { given: Options | undefined; held: ContactOptions | null }

/** The options of a new contact (`held` is null) or of a change, as its kind takes them. */
export function decideKindOptions(
  kind: AnyContactKind,
  { given, held }: Asked,
  { isForbiddenAddress }: Pick<Services, 'isForbiddenAddress'>,
): ContactOptions & { fields: Fields } {
  return decideContactOptions(given, held, {
    secretOptions: kind.secretOptions,
    parseOptions: (options, before) => {
      const parsed = kind.options.safeParse(options, { error: sentence })
      if (!parsed.success) return { ok: false, fields: issueFields(parsed.error.issues, 'options') }
      const problems = Object.entries(kind.optionProblems(parsed.data, isForbiddenAddress))
      const found = problems.filter(([name]) => !isSameJson(parsed.data[name], before[name]))
      if (found.length > 0)
        return { ok: false, fields: Object.fromEntries(found.map(([name, problem]) => [`options.${name}`, [problem]])) }
      const kept = keptSecrets({ given, held })
      if (kept.length === 0 || kind.addressOf(parsed.data)?.href === kind.addressOf(before)?.href)
        return { ok: true, value: parsed.data }
      return { ok: false, fields: Object.fromEntries(kept.map((name) => [`options.${name}`, [elsewhere]])) }
    },
  })
}

const elsewhere = 'Must be given again, because the address has changed.'

/** Secrets that a change leaves out. Who may change the address, but never reads them, must not have them sent there. */
function keptSecrets({ given = {}, held }: Asked): string[] {
  return Object.keys(held?.secretOptions ?? {}).filter((name) => given[name] === undefined)
}
