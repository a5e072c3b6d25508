import { type ContactKindName, isContactKindName } from '#core/contacts/contact-kinds.ts'
import { alertmanager } from './alertmanager.ts'
import { apprise } from './apprise.ts'
import type { AnyContactKind } from './contact.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { googleChat } from './google-chat.ts'
import { gotify } from './gotify.ts'
import { matrix } from './matrix.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { pagerduty } from './pagerduty.ts'
import { pushover } from './pushover.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { twilioSms } from './twilio-sms.ts'
import { webPush } from './web-push.ts'
import { webhook } from './webhook.ts'

/** Every kind of contact, by the name the API uses. A new one is a file and a line here. */
export const contactKinds: Readonly<Record<ContactKindName, AnyContactKind>> = {
  email,
  webhook,
  slack,
  ntfy,
  gotify,
  google_chat: googleChat,
  teams,
  telegram,
  discord,
  pagerduty,
  mattermost,
  matrix,
  pushover,
  twilio_sms: twilioSms,
  alertmanager,
  apprise,
  web_push: webPush,
}

/** Null for a kind of another release. */
export function findContactKind(name: string): AnyContactKind | null {
  return isContactKindName(name) ? contactKinds[name] : null
}
