import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { serverAccess, plainText } from '#kinds/talk/access-options.ts'
import { attributeForm, encodeFilter, FilterError } from './ldap-filter.ts'

const searching = ['scope', 'filter', 'min_entries', 'attribute'] as const

export const ldapOptions = z
  .strictObject({
    security: z
      .enum(['starttls', 'none'])
      .optional()
      .describe(
        'How `ldap://` goes on: with TLS before anything is said (`starttls`), or in clear text (`none`), which is for private addresses alone. `ldaps://` is TLS from the start, whatever stands here. Default: `starttls`.',
      ),
    bind_dn: plainText(1000)
      .optional()
      .describe(
        'The distinguished name that signs in; without it the bind is anonymous. Kept encrypted and never returned.',
      ),
    password: serverAccess.password,
    base: text({ max: 1000 })
      .optional()
      .describe('The distinguished name at which a search begins; empty for the root of the server (root DSE).'),
    scope: z
      .enum(['base', 'one', 'sub'])
      .optional()
      .describe('What is searched: the base alone, the level below it, or everything from it on. Default: `base`.'),
    filter: text({ min: 1, max: 2000 })
      .superRefine(checkFilter)
      .optional()
      .describe('Which entries are found, as RFC 4515 writes it. Default: `(objectClass=*)`, each of them.'),
    min_entries: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('Down when fewer entries are found. No more of them are read. Default: 1.'),
    attribute: text({ min: 1, max: 200 })
      .regex(attributeForm, 'Must be the name of an attribute, such as mail.')
      .optional()
      .describe('An attribute that an entry that was found must have.'),
    expected_value: text({ max: 1000 })
      .optional()
      .describe('The text that a value of the attribute must be. Values are compared, and never kept.'),
    max_latency_ms: serverAccess.max_latency_ms,
    certificate_authorities: serverAccess.certificate_authorities,
    client_certificate: serverAccess.client_certificate,
    accept_any_certificate: serverAccess.accept_any_certificate,
  })
  .superRefine((options, context) => {
    const { bind_dn: name, password, base, attribute, expected_value: value } = options
    // RFC 4513 5.1.2: a name without a password makes an anonymous bind.
    if (name !== undefined && password === undefined) refuse(context, 'bind_dn', 'Needs a password.')
    if (password !== undefined && name === undefined) refuse(context, 'password', 'Needs a bind_dn.')
    if (value !== undefined && attribute === undefined) refuse(context, 'expected_value', 'Needs an attribute.')
    if (base !== undefined) return
    for (const option of searching) if (options[option] !== undefined) refuse(context, option, 'Needs a base.')
  })
  .meta({
    description:
      'A directory that speaks LDAP: it takes a sign-in or an anonymous bind, and finds entries if that is asked for.',
    dependentRequired: {
      expected_value: ['attribute'],
      ...Object.fromEntries(searching.map((option) => [option, ['base']])),
    },
  })
export type LdapOptions = z.infer<typeof ldapOptions>

function checkFilter(filter: string, context: z.RefinementCtx): void {
  try {
    encodeFilter(filter)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
  }
}

function refuse(context: z.RefinementCtx, option: keyof LdapOptions, message: string): void {
  context.addIssue({ code: 'custom', path: [option], message })
}
