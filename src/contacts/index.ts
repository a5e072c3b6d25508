import type { ContactKind } from './contact.ts'
import { email } from './email.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

/** Every kind of contact, by the name the API uses (decisions.md B7). */
export const contactKinds: Readonly<Record<string, ContactKind>> = Object.fromEntries(
  [email, webhook, slack].map((contact) => [contact.kind, contact]),
)
