import { type PersonMailContent, consoleLink } from '#core/people/person-mail.ts'
import type { MailMessage } from '#contacts/message.ts'
import { noticeMail } from '#contacts/notices.ts'

type Words = { headline: string; lead: string; label: string; url: string }

/** Nothing in these mails was typed by a stranger, or else anyone could send words through us. */
export function personMail(content: PersonMailContent, publicUrl: string): MailMessage {
  const { headline, lead, label, url } = wordsOf(content, publicUrl)
  return noticeMail(content.to, { tone: 'plain', headline, lead, facts: [], link: { label, url }, footer: null })
}

const ignore = 'If you did not request this, ignore this message. Nothing will happen.'

function wordsOf(content: PersonMailContent, publicUrl: string): Words {
  const service = `the uptime monitoring at ${new URL(publicUrl).host}`
  switch (content.mail) {
    case 'verify_email':
      return {
        headline: 'Confirm your email address',
        lead: `To use this address with ${service}, confirm that it is yours. The link works for one day. ${ignore}`,
        label: 'Confirm this address',
        url: consoleLink(publicUrl, 'verify_email', { token: content.token }),
      }
    case 'change_email':
      return {
        headline: 'Confirm the change of your email address',
        lead:
          `Someone signed in to your account with ${service} asked to change its address from this one to ` +
          `${content.new_email}. If that was you, confirm the change within one day; a second message then goes to the ` +
          'new address. If it was not you, ignore this message and change your password.',
        label: 'Confirm the change',
        url: consoleLink(publicUrl, 'change_email', { token: content.token }),
      }
    case 'sign_in_link':
      return {
        headline: 'Your sign-in link',
        lead: `This link signs you in to ${service}. It works once, for 15 minutes. ${ignore}`,
        label: 'Sign in',
        url: consoleLink(publicUrl, 'sign_in_link', {
          token: content.token,
          ...(content.return_to === null ? {} : { return_to: content.return_to }),
        }),
      }
    case 'reset_password':
      return {
        headline: 'Choose a new password',
        lead: `Use this link to choose a new password for ${service}. It works once, for one hour. ${ignore}`,
        label: 'Choose a new password',
        url: consoleLink(publicUrl, 'reset_password', { token: content.token }),
      }
    case 'existing_account':
    case 'password_changed':
      return newsOf(content.mail, { service, url: `${publicUrl}/sign-in` })
    case 'invitation':
      return {
        headline: 'You have been invited to a workspace',
        lead: `${content.invited_by} has invited you to a workspace of ${service}. The invitation expires in 7 days.`,
        label: 'View the invitation',
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
        headline: 'You already have an account',
        lead:
          `Someone tried to sign up for ${service} with this address, which already has an account. If that was you, sign ` +
          'in. If you forgot your password, the sign-in page can send you a link. If it was not you, ignore this message.',
        label: 'Sign in',
        url,
      }
    case 'password_changed':
      return {
        headline: 'Your password was changed',
        lead:
          `The password of your account with ${service} was changed. If that was not you, choose a new password at once: ` +
          'the sign-in page can send you a link.',
        label: 'Sign in',
        url,
      }
  }
}
