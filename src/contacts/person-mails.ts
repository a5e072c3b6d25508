import { type PersonMailContent, consoleLink } from '#core/people/person-mail.ts'
import type { MailMessage } from './message.ts'
import { noticeMail } from './notices.ts'

type Words = { headline: string; lead: string; label: string; url: string }

/** Nothing in these mails was typed by a stranger, or else anyone could send words through us. */
export function personMail(content: PersonMailContent, publicUrl: string): MailMessage {
  const { headline, lead, label, url } = wordsOf(content, publicUrl)
  return noticeMail(content.to, { tone: 'plain', headline, lead, facts: [], link: { label, url }, footer: null })
}

const ignore = 'If you did not ask for this, ignore this message: nothing happens.'

function wordsOf(content: PersonMailContent, publicUrl: string): Words {
  const service = `the uptime monitoring at ${new URL(publicUrl).host}`
  switch (content.mail) {
    case 'verify_email':
      return {
        headline: 'Confirm your email address',
        lead: `Confirm that this address is yours, to use it with ${service}. The link works for a day. ${ignore}`,
        label: 'Confirm this address',
        url: consoleLink(publicUrl, 'verify_email', { token: content.token }),
      }
    case 'change_email':
      return {
        headline: 'Confirm the change of your email address',
        lead:
          `Your account at ${service} is to have the address ${content.new_email} instead of this one. If that is your ` +
          'wish, confirm it within a day; a second message then goes to the new address. If not, ignore this message ' +
          'and change your password.',
        label: 'Confirm the change',
        url: consoleLink(publicUrl, 'change_email', { token: content.token }),
      }
    case 'sign_in_link':
      return {
        headline: 'Your link to sign in',
        lead: `This link signs you in to ${service}. It works once, within 15 minutes. ${ignore}`,
        label: 'Sign in',
        url: consoleLink(publicUrl, 'sign_in_link', {
          token: content.token,
          ...(content.return_to === null ? {} : { return_to: content.return_to }),
        }),
      }
    case 'reset_password':
      return {
        headline: 'Choose a new password',
        lead: `This link lets you choose a new password for ${service}. It works once, within an hour. ${ignore}`,
        label: 'Choose a new password',
        url: consoleLink(publicUrl, 'reset_password', { token: content.token }),
      }
    case 'existing_account':
    case 'password_changed':
      return newsOf(content.mail, { service, url: `${publicUrl}/sign-in` })
    case 'invitation':
      return {
        headline: 'You are invited to a workspace',
        lead: `${content.invited_by} invites you to a workspace of ${service}. The invitation is open for 7 days.`,
        label: 'See the invitation',
        url: consoleLink(publicUrl, 'invitation', { token: content.token }),
      }
  }
}

/** Mails that tell something and need no answer. */
function newsOf(
  mail: 'existing_account' | 'password_changed',
  { service, url }: { service: string; url: string },
): Words {
  switch (mail) {
    case 'existing_account':
      return {
        headline: 'You have an account already',
        lead:
          `Somebody signed up for ${service} with this address, which has an account already. If that was you, sign in; ` +
          'a link by mail or a new password helps where the old one is forgotten. If not, ignore this message.',
        label: 'Sign in',
        url,
      }
    case 'password_changed':
      return {
        headline: 'Your password was changed',
        lead:
          `The password of your account at ${service} was changed. If that was not you, choose a new one at once: ` +
          'the sign-in page sends you a link for it.',
        label: 'Sign in',
        url,
      }
  }
}
