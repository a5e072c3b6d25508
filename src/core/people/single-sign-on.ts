import { z } from 'zod'
import { parseDomainName } from '#core/language/domain-name.ts'
import { text } from '#core/language/text.ts'

/** Sign-in of people by the identity provider of a workspace. */

export const signOnLimits = {
  domains: 20,
  groups: 100,
  subjects: 10,
  certificates: 10,
  /** In characters, as the following. SAML Core 8.3.6 has the first. */
  entityId: 1024,
  signOnUrl: 2000,
  metadata: 256 * 1024,
} as const

/** Groups of a provider make no owners: those are named by owners alone. */
const groupRoleSchema = z.enum(['viewer', 'member'])
export type GroupRole = z.infer<typeof groupRoleSchema>

const groupRolesSchema = z
  .array(z.strictObject({ group: text({ min: 1, max: 200 }), role: groupRoleSchema }))
  .max(signOnLimits.groups)
export type GroupRoles = z.infer<typeof groupRolesSchema>

const name = text({ min: 1, max: 100 }).describe('What people know the provider by.')

const roleRules = {
  default_role: groupRoleSchema.default('viewer').describe('Of people whom none of their groups gives a role.'),
  groups_claim: text({ min: 1, max: 200 })
    .default('groups')
    .describe('The claim, or the attribute of SAML, that lists the groups of a person.'),
  group_roles: groupRolesSchema
    .default([])
    .describe('With at least one, the role of everybody but owners follows the groups at each sign-in.'),
  is_required: z
    .boolean()
    .default(false)
    .describe('Whether members come to the workspace by the provider alone. Owners never have to.'),
} as const

const openIdProviderInputSchema = z.strictObject({
  protocol: z.literal('openid_connect').optional(),
  name,
  issuer: text({ min: 1, max: 500 })
    .refine(isIssuer, 'Must be an https address without query and fragment.')
    .describe('As the provider writes it, such as `https://login.example.com/realms/shop`.'),
  client_id: text({ min: 1, max: 500 }),
  client_secret: text({ min: 1, max: 1000 })
    .optional()
    .describe('Never returned. It may be left out where the issuer and the client stay as they are.'),
  ...roleRules,
})
export type OpenIdProviderInput = z.infer<typeof openIdProviderInputSchema>

const attribute = text({ min: 1, max: 200 }).nullable().default(null)

export const samlProviderInputSchema = z.strictObject({
  protocol: z.literal('saml'),
  name,
  metadata_xml: text({ min: 1, max: signOnLimits.metadata })
    .optional()
    .describe(
      'The metadata of the provider. It says `issuer`, `sign_on_url` and `certificates` where they are left out.',
    ),
  issuer: text({ min: 1, max: signOnLimits.entityId })
    .refine((given) => /^[!-~]+$/.test(given), 'Must be of ASCII, without spaces.')
    .optional()
    .describe('The entity ID of the provider, as it writes it.'),
  sign_on_url: text({ min: 1, max: signOnLimits.signOnUrl })
    .refine(isWebAddress, 'Must be an https address.')
    .optional()
    .describe('Where people sign in, by the HTTP-Redirect binding.'),
  certificates: z
    .array(text({ min: 1, max: 10_000 }))
    .min(1)
    .max(signOnLimits.certificates)
    .optional()
    .describe('Of RSA keys, in PEM. Any of them may sign, so that a new one can be added before it is used.'),
  subject_attribute: attribute.describe('What names a person for ever, in place of the NameID.'),
  email_attribute: attribute.describe('What holds the mail address; null looks for the usual names.'),
  ...roleRules,
})
export type SamlProviderInput = z.infer<typeof samlProviderInputSchema>

/** OpenID Connect where no protocol is named. */
export const identityProviderInputSchema = z.discriminatedUnion('protocol', [
  openIdProviderInputSchema,
  samlProviderInputSchema,
])
export type IdentityProviderInput = z.infer<typeof identityProviderInputSchema>

const heldRules = {
  default_role: groupRoleSchema,
  groups_claim: z.string(),
  group_roles: groupRolesSchema,
  is_required: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
} as const

const openIdProviderSchema = z.strictObject({
  protocol: z.literal('openid_connect'),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  ...heldRules,
})
const samlProviderSchema = z.strictObject({
  protocol: z.literal('saml'),
  name: z.string(),
  issuer: z.string(),
  sign_on_url: z.string(),
  certificates: z.array(z.string()),
  subject_attribute: z.string().nullable(),
  email_attribute: z.string().nullable(),
  ...heldRules,
})
export const identityProviderSchema = z.discriminatedUnion('protocol', [openIdProviderSchema, samlProviderSchema])
export type IdentityProviderRecord = z.infer<typeof identityProviderSchema>

export const signInDomainInputSchema = z.strictObject({
  domain: text({ min: 1, max: 253 })
    .transform((given) => parseDomainName(given) ?? given)
    .refine(isMailDomain, 'Must be a domain, such as example.com.'),
})

export const signInDomainSchema = z.strictObject({
  id: z.uuid(),
  domain: z.string(),
  record: z.strictObject({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
  proven_at: z.iso.datetime().nullable().describe('When the record was found; null as long as it was not.'),
  created_at: z.iso.datetime(),
})
export type SignInDomainRecord = z.infer<typeof signInDomainSchema>

export const singleSignOnSchema = z.strictObject({
  redirect_uri: z.url().describe('What the provider has to know as the address that people come back to.'),
  saml: z
    .strictObject({
      entity_id: z.url().describe('The name of the service, at which its metadata can be read.'),
      consumer_url: z.url().describe('Where the provider sends its responses (Assertion Consumer Service).'),
    })
    .describe('What a provider of SAML 2.0 has to know.'),
  provider: identityProviderSchema.nullable(),
  domains: z.array(signInDomainSchema),
})
export type SingleSignOnRecord = z.infer<typeof singleSignOnSchema>

export const providerSubjectSchema = z.strictObject({
  id: z.uuid(),
  issuer: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
})
export type ProviderSubjectRecord = z.infer<typeof providerSubjectSchema>

/** The record by which the owner of a domain says that a workspace may sign in its people. */
export function domainChallenge({ domain, token }: { domain: string; token: string }): SignInDomainRecord['record'] {
  return { type: 'TXT', name: `_perigee-challenge.${domain}`, value: `perigee-domain=${token}` }
}

/** In lower case, as DNS has it; null where the text is no mail address. */
export function domainOfMail(email: string): string | null {
  const at = email.lastIndexOf('@')
  return at < 1 ? null : parseDomainName(email.slice(at + 1))
}

/** Each workspace has an address of its own, so that an answer of one provider is never taken for that of another. */
export function signOnRedirect(publicUrl: string, workspaceId: string): string {
  return `${publicUrl}/sign-in/provider/${workspaceId}`
}

/** How the workspace is known to a provider of SAML. */
export function samlServiceOf(publicUrl: string, workspaceId: string): { entityId: string; consumerUrl: string } {
  const root = `${publicUrl}/saml/${workspaceId}`
  return { entityId: `${root}/metadata`, consumerUrl: `${root}/acs` }
}

/**
 * The issuer by which accounts are linked. An OpenID provider proves its issuer by TLS. The entity ID of a provider of
 * SAML is what an owner entered beside certificates, so it counts in that workspace alone: else an owner of another one
 * could enter the same name with a key of their own, and sign in as everybody.
 */
export function linkedIssuer(provider: { protocol: string; workspaceId: string; issuer: string }): string {
  return provider.protocol === 'saml' ? `${samlMark}${provider.workspaceId} ${provider.issuer}` : provider.issuer
}

/** As the provider calls itself. */
export function shownIssuer(linked: string): string {
  return linked.startsWith(samlMark) ? linked.slice(linked.indexOf(' ', samlMark.length) + 1) : linked
}

/** No address of an OpenID provider begins like this. */
const samlMark = 'saml '

type RoleRule = { defaultRole: GroupRole; groupRoles: Readonly<GroupRoles> }

/** The highest role that one of the groups has. */
export function roleOfGroups({ defaultRole, groupRoles }: RoleRule, groups: readonly string[]): GroupRole {
  const roles = new Set(groupRoles.filter(({ group }) => groups.includes(group)).map(({ role }) => role))
  if (roles.has('member')) return 'member'
  return roles.has('viewer') ? 'viewer' : defaultRole
}

/** OpenID Connect Discovery 1.0 3: no query, no fragment. Whether plain http may be asked is the installation's to say. */
function isIssuer(given: string): boolean {
  const url = URL.parse(given)
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol)
  return isWeb && url.username === '' && url.password === '' && !/[?#\s]/.test(given)
}

/** Whether plain http may be used is the installation's to say. */
function isWebAddress(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
}

function isMailDomain(given: string): boolean {
  return parseDomainName(given) === given && given.includes('.') && !/[*_]/.test(given)
}
