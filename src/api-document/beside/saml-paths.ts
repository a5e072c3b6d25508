import type { JsonSchema } from '#api-document/openapi-schemas.ts'
import type { Described } from './described.ts'

const json = 'application/json'
const workspace: JsonSchema = {
  name: 'workspace_id',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
}
const refused = (description: string) => ({ description, content: { [json]: ['Error'] } }) as const
const told = (description: string) => ({ description, content: { 'text/plain': [] } }) as const

export const samlPaths: readonly Described[] = [
  {
    path: '/saml/{workspace_id}/metadata',
    method: 'get',
    operationId: 'read_saml_metadata',
    tag: 'Single sign-on',
    summary: 'The metadata of a workspace as a service of SAML 2.0; the address is its entity ID',
    parameters: [workspace],
    answers: {
      200: { description: 'An EntityDescriptor.', content: { 'application/samlmetadata+xml': [] } },
      404: refused('The id is none.'),
      default: refused('Something went wrong on the server.'),
    },
  },
  {
    path: '/saml/{workspace_id}/acs',
    method: 'post',
    operationId: 'post_saml_response',
    tag: 'Single sign-on',
    summary: 'Take the response of an identity provider (Assertion Consumer Service, HTTP-POST binding)',
    description: 'The page to which it leads tells what became of it, to the browser in which the sign-in began.',
    parameters: [workspace],
    body: { type: 'application/x-www-form-urlencoded', schemas: [] },
    answers: {
      303: { description: 'On to the page.' },
      404: refused('The id is none.'),
      413: told('The form has more than 512 KB.'),
      429: told('Too many attempts from one address.'),
      503: told('Too many people sign in right now.'),
      default: refused('Something went wrong on the server.'),
    },
  },
]
